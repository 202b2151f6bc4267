/** Decodes the bytes [start, end). Keeps a byte-order mark; malformed sequences become U+FFFD. */
export type Decode = (bytes: Buffer, start: number, end: number) => string;

/** Returns a decoder of a WHATWG encoding name. One is so cheap that none is kept. */
export function getDecoder(charset: string): Decode {
  return charset === 'utf-8' ? decodeUtf8 : decodeWith(new TextDecoder(charset, { ignoreBOM: true }));
}

function decodeUtf8(bytes: Buffer, start: number, end: number): string {
  return isAscii(bytes, start, end)
    ? bytes.toString('latin1', start, end)
    : bytes.toString('utf8', start, end);
}

function decodeWith(decoder: TextDecoder): Decode {
  return (bytes, start, end) => {
    if (isAscii(bytes, start, end)) return bytes.toString('latin1', start, end);
    // Includes the delimiter: a malformed sequence before it decodes differently than at the end of a page.
    if (end < bytes.length && bytes[end]! < 0x80)
      return decoder.decode(bytes.subarray(start, end + 1)).slice(0, -1);
    return decoder.decode(bytes.subarray(start, end));
  };
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! >= 0x80) return false;
  return true;
}
