import type { Socket } from 'node:net';

const INTERIM = Buffer.from('HTTP/1.1 1');
/** Where the last two digits of a status stand. */
const DIGITS = INTERIM.length;

/**
 * Lets a 100 (Continue) that was not asked for be skipped like every other interim response (RFC 9110 §15.2): undici takes it for the end of all
 * order and closes the connection, so it gets to see a 102. Heads only: `isHeadAwaited` tells whether the answer's own is still to come.
 */
export function skipContinue(socket: Socket, isHeadAwaited: () => boolean): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (isHeadAwaited() && Buffer.isBuffer(chunk)) hideContinue(chunk);
    return chunk;
  };
}

function hideContinue(bytes: Buffer): void {
  let at = 0;
  while (bytes.compare(INTERIM, 0, INTERIM.length, at, Math.min(at + INTERIM.length, bytes.length)) === 0) {
    if (bytes[at + DIGITS] === 0x30 && bytes[at + DIGITS + 1] === 0x30) bytes[at + DIGITS + 1] = 0x32;
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) return;
    at = end + 4;
  }
}
