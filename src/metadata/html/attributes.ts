/** The attributes of one start tag, as positions of their undecoded values (WHATWG HTML §13.2.5.32–40; of duplicates the first counts). */

import { skipTo } from './text-end.ts';

/** Attributes that some field is read from. Others are skipped. */
export const ATTRIBUTE_NAMES = [
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

export type AttributeName = (typeof ATTRIBUTE_NAMES)[number];

/** Where a value stands in the page's bytes: [start, end). */
export interface ByteRange {
  start: number;
  end: number;
}

/** The few attributes of one tag: a search through them is quicker than a map. */
export class Attributes {
  #names: AttributeName[] = [];
  #ranges: ByteRange[] = [];

  get(name: AttributeName): ByteRange | undefined {
    return this.#ranges[this.#names.indexOf(name)];
  }

  has(name: AttributeName): boolean {
    return this.#names.includes(name);
  }

  /** Of duplicates the first counts. */
  add(name: AttributeName, range: ByteRange): void {
    if (this.#names.includes(name)) return;
    this.#names.push(name);
    this.#ranges.push(range);
  }
}

const LONGEST_NAME = Math.max(...ATTRIBUTE_NAMES.map((name) => name.length));
const KNOWN: ReadonlySet<string> = new Set(ATTRIBUTE_NAMES);
/** By first letter, so that most other names need no string. */
const FIRST_LETTERS: ReadonlySet<number> = new Set(ATTRIBUTE_NAMES.map((name) => name.charCodeAt(0)));

/** Reads the attributes between the byte after the tag's name and the tag's `>` (at `end - 1`). */
export function readAttributes(bytes: Buffer, from: number, end: number): Attributes {
  const found = new Attributes();
  const last = end - 1;
  let at = from;
  for (;;) {
    while (at < last && (isSpace(bytes[at]!) || bytes[at] === 0x2f)) at++;
    if (at >= last) return found;
    const nameStart = at++;
    while (at < last && !isSpace(bytes[at]!) && bytes[at] !== 0x2f && bytes[at] !== 0x3d) at++;
    const nameEnd = at;
    const value = readValue(bytes, at, last);
    at = value.next;
    if (nameEnd - nameStart > LONGEST_NAME || !FIRST_LETTERS.has(bytes[nameStart]! | 0x20)) continue;
    const name = bytes.toString('latin1', nameStart, nameEnd).toLowerCase();
    if (KNOWN.has(name)) found.add(name as AttributeName, value.range);
  }
}

/** The value that follows an attribute's name, empty where there is none, and where to go on. */
function readValue(bytes: Buffer, from: number, last: number): { range: ByteRange; next: number } {
  let at = from;
  while (at < last && isSpace(bytes[at]!)) at++;
  if (bytes[at] !== 0x3d || at >= last) return { range: { start: from, end: from }, next: at };
  at++;
  while (at < last && isSpace(bytes[at]!)) at++;
  if (at >= last) return { range: { start: at, end: at }, next: at };
  const quote = bytes[at]!;
  if (quote === 0x22 || quote === 0x27) {
    const start = ++at;
    at = skipTo(quote, bytes, at, last);
    return { range: { start, end: at }, next: at + 1 };
  }
  const start = at;
  while (at < last && !isSpace(bytes[at]!)) at++;
  return { range: { start, end: at }, next: at };
}

/** ASCII white space of HTML: tab, LF, FF, CR, space. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d || byte === 0x0c;
}
