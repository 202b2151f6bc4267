import { decodeHTML } from 'entities';

/** The last character that every font with Latin letters is taken to have. */
const LAST_USUAL = 0x24f;
const HAS_UNUSUAL = /[^\u0000-\u024f]/;
/** A document has few kinds of references; a hostile one has any number of them. */
const MAX_REFERENCES = 10_000;
const REFERENCE = /&(?:#x?[0-9a-f]{1,8}|[a-z][a-z0-9]{1,31});?/gi;

/** Controls, marks without a glyph of their own (variation selectors, joiners), and surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Collects the code points in the text of an HTML source, also as references, that a font may not have. */
export function collectUnusualCharacters(html: string): Set<number> {
  const found = new Set<number>();
  if (HAS_UNUSUAL.test(html)) addUnusual(html, found);
  if (html.includes('&')) addUnusual(decodeReferences(html), found);
  return found;
}

/** Adds the code points of a text that a font may not have. */
export function addUnusual(text: string, found: Set<number>): void {
  // The expression takes most of the time: each code point meets it once.
  const invisible = new Set<number>();
  let last = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit <= LAST_USUAL || unit === last) continue;
    last = unit;
    const codePoint = text.codePointAt(index) ?? unit;
    if (codePoint > 0xffff) {
      last = 0;
      index += 1;
    }
    if (found.has(codePoint) || invisible.has(codePoint)) continue;
    (INVISIBLE.test(String.fromCodePoint(codePoint)) ? invisible : found).add(codePoint);
  }
}

function decodeReferences(html: string): string {
  const references = new Set<string>();
  let left = MAX_REFERENCES;
  for (const [reference] of html.matchAll(REFERENCE)) {
    references.add(reference);
    left -= 1;
    if (left === 0) break;
  }
  return decodeHTML([...references].join(' '));
}
