import { skipTo } from '#html';
import { PageBytes } from '../page/page-bytes.ts';

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

// Decodes ISO-2022-JP (Encoding Standard §12.2.1) as it arrives. The platform's decoder throws on some
// malformed input that arrives in chunks, so it receives whole pieces: each starts and ends in ASCII.

const ESC = 0x1b;
const TO_ASCII = Buffer.from('\x1b(B', 'latin1');

/** A streaming decoder with the interface of TextDecoder; malformed sequences become U+FFFD. */
export class Iso2022JpDecoder {
  readonly encoding = 'iso-2022-jp';
  /** Bytes that were not decoded yet, from an escape on. */
  #pending = new PageBytes();

  /** Decodes the next bytes. Without `stream`, they are the last. */
  decode(bytes: Uint8Array = new Uint8Array(0), options: { stream?: boolean } = {}): string {
    const checkedTo = this.#pending.length;
    this.#pending.append(bytes);
    const pending = this.#pending.getBytes();
    const end = options.stream === true ? findPieceEnd(pending, checkedTo) : pending.length;
    if (end === 0) return '';
    const text = new TextDecoder(this.encoding).decode(pending.subarray(0, end));
    // A copy: the buffer is written to again.
    const rest = Buffer.from(pending.subarray(end));
    this.#pending.clear();
    this.#pending.append(rest);
    return text;
  }
}

/** Returns the end of the bytes that can be decoded now, or 0. No piece ended before `checkedTo`. */
function findPieceEnd(bytes: Buffer, checkedTo: number): number {
  const from = Math.max(0, checkedTo - TO_ASCII.length);
  const escape = bytes.subarray(from).lastIndexOf(TO_ASCII);
  if (escape < 0) return checkedTo === 0 ? skipTo(ESC, bytes, 0, bytes.length) : 0;
  const asciiStart = from + escape + TO_ASCII.length;
  const end = skipTo(ESC, bytes, asciiStart, bytes.length);
  // Two escapes in a row are an error, which the decoder must see.
  return end === asciiStart ? 0 : end;
}

/**
 * Returns the index of the next escape to Japanese (ESC $ B, ESC $ @, ESC ( J, ESC ( I) in [from, end), or
 * `end`.
 */
export function findIso2022JpEscape(bytes: Uint8Array, from: number, end: number): number {
  let at = skipTo(ESC, bytes, from, end);
  while (at < end && !isJapanese(bytes[at + 1]!, bytes[at + 2]!)) at = skipTo(ESC, bytes, at + 1, end);
  return at;
}

function isJapanese(first: number, second: number): boolean {
  if (first === 0x24) return second === 0x40 || second === 0x42;
  return first === 0x28 && (second === 0x4a || second === 0x49);
}
