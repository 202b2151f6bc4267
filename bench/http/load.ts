import { connect } from 'node:net';

/**
 * Sends requests in turn, repeatedly, on `connections` keep-alive sockets for `ms`. Returns the number of
 * complete responses per second.
 */
export async function measureRequestsPerSecond(
  port: number,
  request: string | readonly string[],
  connections: number,
  ms: number,
): Promise<number> {
  let responses = 0;
  const endAt = performance.now() + ms;
  const requests = [request].flat().map((text) => Buffer.from(text));
  let sent = 0;
  const next = (): Buffer => requests[sent++ % requests.length] ?? Buffer.alloc(0);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, () => drive(port, next, endAt, () => responses++)));
  return responses / ((performance.now() - startedAt) / 1000);
}

/** Keeps one connection busy until `endAt`; opens another when the server closes it after a response. */
async function drive(port: number, next: () => Buffer, endAt: number, onResponse: () => void): Promise<void> {
  while (performance.now() < endAt) await driveConnection(port, next, endAt, onResponse);
}

function driveConnection(
  port: number,
  next: () => Buffer,
  endAt: number,
  onResponse: () => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let pending: Buffer = Buffer.alloc(0);
  socket.on('connect', () => socket.write(next()));
  socket.on('error', reject);
  socket.on('close', () => resolve());
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const headEnd = pending.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = pending.toString('latin1', 0, headEnd);
    if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head));
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (pending.length < headEnd + 4 + length) return;
    pending = Buffer.alloc(0);
    onResponse();
    // nginx closes a connection after 1,000 requests.
    if (performance.now() < endAt && !/\r\nconnection: close/i.test(head)) socket.write(next());
    else socket.destroy();
  });
  return promise;
}
