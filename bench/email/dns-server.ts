import { parentPort } from 'node:worker_threads';
import { startDnsServer } from '../../test/support/dns-server.ts';

/**
 * In a thread of its own: every domain's MX is the literal 127.0.0.1, so that a peer which goes on to an SMTP conversation
 * tries it with this machine, where it is refused at once, and sends nothing anywhere else.
 */
const server = await startDnsServer({
  answer: ({ name }) => ({
    answers: [{ type: 'MX', name, ttl: 3600, data: { exchange: '127.0.0.1', preference: 10 } }],
  }),
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread, not a window
parentPort?.postMessage(server.port);
