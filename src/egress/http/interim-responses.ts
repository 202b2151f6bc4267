import type { Socket } from 'node:net';

const INTERIM = Buffer.from('HTTP/1.1 1');
/** The offset of the last two digits of the status. */
const DIGITS = INTERIM.length;

/**
 * Makes undici skip a 100 (Continue) that was not requested, like other interim responses (RFC 9110 §15.2),
 * by replacing it with a 102: undici closes the connection otherwise. Changes heads only: `isHeadAwaited`
 * tells whether the final response has not begun.
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
