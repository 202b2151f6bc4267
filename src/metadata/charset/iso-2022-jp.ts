/**
 * Decodes ISO-2022-JP (Encoding Standard §12.2.1) as it arrives. The platform's decoder throws on some
 * malformed input that arrives in chunks, so it receives whole pieces: each starts and ends in ASCII.
 */
import { skipTo } from '#html';
import { PageBytes } from '../page/page-bytes.ts';

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
