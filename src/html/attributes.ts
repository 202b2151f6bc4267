/** The attributes of one start tag, as positions of their undecoded values (WHATWG HTML §13.2.5.32–40). */
import { skipTo } from './bytes.ts';

/** The attributes that fields of the response come from. All others are skipped. */
const ATTRIBUTE_NAMES = [
  'charset',
  'color',
  'content',
  'href',
  'http-equiv',
  'hreflang',
  'lang',
  'media',
  'name',
  'property',
  'rel',
  'sizes',
  'title',
  'type',
  'xml:lang',
] as const;

type AttributeName = (typeof ATTRIBUTE_NAMES)[number];

/** The position of a value in the page's bytes: [start, end). */
export interface ByteRange {
  start: number;
  end: number;
}

/** The few attributes of one tag: a linear search is faster than a map. */
export class Attributes {
  #names: AttributeName[] = [];
  #ranges: ByteRange[] = [];

  get(name: AttributeName): ByteRange | undefined {
    return this.#ranges[this.#names.indexOf(name)];
  }

  has(name: AttributeName): boolean {
    return this.#names.includes(name);
  }

  /** Adds an attribute; of duplicates, the first counts. */
  add(name: AttributeName, range: ByteRange): void {
    if (this.#names.includes(name)) return;
    this.#names.push(name);
    this.#ranges.push(range);
  }
}

const LONGEST_NAME = Math.max(...ATTRIBUTE_NAMES.map((name) => name.length));
/**
 * The names by length and first letter, so that a lookup creates no string: a tag can have a million
 * attributes.
 */
const NAMES_BY_SHAPE: { name: AttributeName; codes: Uint8Array }[][] = [];
for (const name of ATTRIBUTE_NAMES) {
  (NAMES_BY_SHAPE[computeShape(name.length, name.charCodeAt(0))] ??= []).push({
    name,
    codes: Buffer.from(name),
  });
}

function computeShape(length: number, firstByte: number): number {
  return (length << 5) | (firstByte & 0x1f);
}

/** The most attributes of one tag that are parsed: a million would take 30 ms. */
const MAX_ATTRIBUTES = 10_000;

const SPACE = 1;
const SLASH = 2;
const EQUALS = 4;
const KINDS = new Uint8Array(256);
for (const byte of [0x20, 0x0a, 0x09, 0x0d, 0x0c]) KINDS[byte] = SPACE;
KINDS[0x2f] = SLASH;
KINDS[0x3d] = EQUALS;

/** Parses the attributes of a tag, from the byte after its name to the `>` at `end - 1`. */
export function parseAttributes(bytes: Buffer, from: number, end: number): Attributes {
  const found = new Attributes();
  const last = end - 1;
  const value = { start: 0, end: 0 };
  let at = from;
  for (let count = 0; count < MAX_ATTRIBUTES; count++) {
    while (at < last && (KINDS[bytes[at]!]! & (SPACE | SLASH)) !== 0) at++;
    if (at >= last) break;
    const nameStart = at++;
    while (at < last && KINDS[bytes[at]!] === 0) at++;
    const name = findName(bytes, nameStart, at);
    at = parseValue(bytes, at, last, value);
    if (name !== null) found.add(name, { start: value.start, end: value.end });
  }
  return found;
}

function findName(bytes: Buffer, start: number, end: number): AttributeName | null {
  const length = end - start;
  if (length > LONGEST_NAME) return null;
  const candidates = NAMES_BY_SHAPE[computeShape(length, bytes[start]!)];
  return candidates?.find(({ codes }) => isSameName(bytes, start, codes))?.name ?? null;
}

function isSameName(bytes: Buffer, start: number, codes: Uint8Array): boolean {
  for (let index = 0; index < codes.length; index++) {
    const byte = bytes[start + index]!;
    const isUpper = byte >= 0x41 && byte <= 0x5a;
    if ((isUpper ? byte | 0x20 : byte) !== codes[index]) return false;
  }
  return true;
}

/** Sets `value` to the value after an attribute's name, empty for none. Returns the index after it. */
function parseValue(bytes: Buffer, from: number, last: number, value: ByteRange): number {
  let at = from;
  while (at < last && KINDS[bytes[at]!] === SPACE) at++;
  value.start = value.end = from;
  if (at >= last || bytes[at] !== 0x3d) return at;
  at++;
  while (at < last && KINDS[bytes[at]!] === SPACE) at++;
  value.start = value.end = at;
  if (at >= last) return at;
  const quote = bytes[at]!;
  if (quote === 0x22 || quote === 0x27) {
    value.start = ++at;
    value.end = at = skipTo(quote, bytes, at, last);
    return at + 1;
  }
  while (at < last && KINDS[bytes[at]!] !== SPACE) at++;
  value.end = at;
  return at;
}
