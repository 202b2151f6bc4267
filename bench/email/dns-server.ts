import { parentPort } from 'node:worker_threads';
import { startDnsServer } from '../../test/support/dns-server.ts';

/**
 * Runs in its own thread. The MX of every domain is the literal 127.0.0.1, so a peer that starts an SMTP
 * conversation contacts only this machine, which refuses the connection.
 */
const server = await startDnsServer({
  answer: ({ name }) => ({
    answers: [{ type: 'MX', name, ttl: 3600, data: { exchange: '127.0.0.1', preference: 10 } }],
  }),
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread, not a window
parentPort?.postMessage(server.port);
