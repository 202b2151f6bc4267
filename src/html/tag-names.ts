/**
 * The tag names that the scanner acts on, recognized without making strings: up to twelve ASCII letters are
 * packed, five bits each, into two 30-bit integers (as in lol-html). Their comparison is exact and ignores
 * case.
 */
import { RAW_TEXT_ELEMENTS } from './elements.ts';

/** The ids of tag names; `other` is any name that is not listed. */
export const TAG = {
  other: 0,
  html: 1,
  head: 2,
  body: 3,
  title: 4,
  meta: 5,
  link: 6,
  base: 7,
  script: 8,
  style: 9,
  textarea: 10,
  xmp: 11,
  iframe: 12,
  noembed: 13,
  noframes: 14,
  noscript: 15,
  plaintext: 16,
  template: 17,
  svg: 18,
  math: 19,
  basefont: 20,
  bgsound: 21,
  frameset: 22,
} as const;

/** One of the small integers in TAG. */
export type TagId = (typeof TAG)[keyof typeof TAG];

/** `rest` of a name that has a character other than an ASCII letter, or more than twelve. */
export const UNPACKABLE = -1;

/** The elements that can be in a head: their tags do not open the body. */
const HEAD_ELEMENTS = new Set<TagId>([
  TAG.html,
  TAG.head,
  TAG.title,
  TAG.meta,
  TAG.link,
  TAG.base,
  TAG.basefont,
  TAG.bgsound,
  TAG.script,
  TAG.style,
  TAG.noscript,
  TAG.noframes,
  TAG.template,
]);

const TABLE_BITS = 6;
const multiplier = findMultiplier();
const slots = buildSlots(multiplier);
const ids = new Uint8Array(1 << TABLE_BITS);
const firsts = new Int32Array(1 << TABLE_BITS);
const rests = new Int32Array(1 << TABLE_BITS);
for (const [slot, { id, first, rest }] of slots ?? []) {
  ids[slot] = id;
  firsts[slot] = first;
  rests[slot] = rest;
}

const NAMES = Object.keys(TAG);
/** The names in lower case, by id. */
export const TAG_BYTES: readonly Uint8Array[] = NAMES.map((name) => new TextEncoder().encode(name));

const isText = new Uint8Array(ids.length).map((_, id) => (RAW_TEXT_ELEMENTS.has(NAMES[id] ?? '') ? 1 : 0));
const isHead = new Uint8Array(ids.length).map((_, id) => (HEAD_ELEMENTS.has(id as TagId) ? 1 : 0));

/** Returns whether the element's content is text up to its own end tag. */
export function isTextElement(id: TagId): boolean {
  return isText[id] === 1;
}

/** Returns whether the element can be in a head. */
export function isHeadElement(id: TagId): boolean {
  return isHead[id] === 1;
}

/** Returns the id of a packed name: `first` holds letters 1 to 6, `rest` letters 7 to 12 (0 for none). */
export function findTag(first: number, rest: number): TagId {
  const slot = Math.imul(first ^ rest, multiplier) >>> (32 - TABLE_BITS);
  return firsts[slot] === first && rests[slot] === rest ? (ids[slot] as TagId) : TAG.other;
}

function pack(letters: string): number {
  let packed = 0;
  for (const letter of letters) packed = (packed << 5) | (letter.charCodeAt(0) & 31);
  return packed;
}

type Slot = { id: number; first: number; rest: number };

/** Returns the table of all names by their hash, or null if two names have the same. */
function buildSlots(multiplier: number): Map<number, Slot> | null {
  const slots = new Map<number, Slot>();
  for (const [name, id] of Object.entries(TAG)) {
    if (id === TAG.other) continue;
    const first = pack(name.slice(0, 6));
    const rest = pack(name.slice(6));
    const slot = Math.imul(first ^ rest, multiplier) >>> (32 - TABLE_BITS);
    if (slots.has(slot)) return null;
    slots.set(slot, { id, first, rest });
  }
  return slots;
}

/** Returns a multiplier for which the hashes of all names differ. */
function findMultiplier(): number {
  let candidate = 0x9e3779b1 | 0;
  while (buildSlots(candidate) === null) candidate = (Math.imul(candidate, 0x19660d) + 0x3c6ef35e) | 1;
  return candidate;
}
