import { parentPort } from 'node:worker_threads';
import { startDnsServer } from '../../test/support/dns-server.ts';

/** Most domains have their mail at one of few operators. */
const HOSTS = 40;

/**
 * Runs in its own thread. Every domain has one MX, the host of an operator, and every host has an address, so
 * that a validation looks up both.
 */
const server = await startDnsServer({
  answer: ({ name, type }) => {
    if (type === 'A') return { answers: [{ type: 'A', name, ttl: 3600, data: '192.0.2.25' }] };
    if (type !== 'MX') return { answers: [] };
    const sum = Array.from(name.toLowerCase()).reduce((total, char) => total + char.charCodeAt(0), 0);
    const data = { exchange: `mx.mail-host-${sum % HOSTS}.com`, preference: 10 };
    return { answers: [{ type: 'MX', name, ttl: 3600, data }] };
  },
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread, not a window
parentPort?.postMessage(server.port);
