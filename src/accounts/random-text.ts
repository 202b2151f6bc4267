import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The largest multiple of 62 in a byte. Bytes from it on are discarded: all characters are equally likely.
 */
const FAIR_BYTES = 248;

/** Returns random base62 text from the system's generator: 5.95 bits per character. */
export function createRandomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomFillSync(new Uint8Array(length - text.length + 8))) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** Formats a non-negative integer in base62, padded with zeros to `length` characters. */
export function formatBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = (ALPHABET[rest % 62] ?? '') + text;
  return text.padStart(length, '0');
}
