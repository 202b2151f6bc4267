/** Parses language tags as pages write them into canonical BCP 47 (RFC 5646, CLDR). */
import { LRUCache } from 'lru-cache';
import { ApiError } from '#errors';

/** Created with the first tag: it takes 10 ms. */
let names: Intl.DisplayNames | undefined;

/** Tags parsed before, '' for null: Intl takes longer for a tag than the scanner for a page's head. */
const parsed = new LRUCache<string, string>({ max: 1_000 });

/** The codes of ISO 639-2 for several, no and unknown languages. */
const NO_LANGUAGE = new Set(['mis', 'mul', 'und', 'zxx']);
/** The languages with extended subtags, which are languages themselves (RFC 5646 §4.5: `zh-yue` is `yue`). */
const EXTENDED = /^(?:ar|kok|lv|ms|sgn|sw|uz|zh)-(?:[a-z]{3}-)?([a-z]{3})(?=-|$)/i;

/** Grandfathered tags that Intl does not know, with their replacements (RFC 5646 §2.2.8). */
const GRANDFATHERED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'en-gb-oed': 'en-GB-oxendict',
    'i-hak': 'hak',
    'i-klingon': 'tlh',
    'i-lux': 'lb',
    'i-navajo': 'nv',
    'no-bok': 'nb',
    'no-nyn': 'nn',
  }),
);

/**
 * Returns the canonical tag: `en_us` → `en-US`, `iw` → `he`, `zh-cmn-Hans` → `zh-Hans`. Returns null for what
 * names no single language: «english», `x-default`, `und`, `zxx`, a list.
 */
export function parseLanguage(value: string): string | null {
  if (value.length > 64) return null;
  const known = parsed.get(value);
  if (known !== undefined) return known === '' ? null : known;
  const tag = parseTag(value);
  parsed.set(value, tag ?? '');
  return tag;
}

function parseTag(value: string): string | null {
  const written = value.trim().replaceAll('_', '-');
  const tag = GRANDFATHERED.get(written.toLowerCase()) ?? written;
  if (tag.length < 2 || tag.length > 64) return null;
  return (
    canonicalize(tag) ??
    canonicalize(tag.replace(EXTENDED, '$1')) ??
    canonicalize(tag.replace(/^([a-z]{2,3})-[a-z]{3}(?=-|$)/i, '$1'))
  );
}

function canonicalize(tag: string): string | null {
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0];
    if (canonical === undefined) return null;
    const language = new Intl.Locale(canonical).language;
    names ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
    return !NO_LANGUAGE.has(language) && names.of(language) !== undefined ? canonical : null;
  } catch {
    return null;
  }
}

/** The most characters of the `language` parameter. */
export const MAX_LANGUAGE_CHARACTERS = 200;
const MAX_RANGES = 10;

/**
 * Parses the `language` parameter, a list as in Accept-Language (RFC 9110 §12.5.4), into canonical form:
 * `DE-ch ; q=1.0,en;q=0.50` → `de-CH, en;q=0.5`, best first, each language once. Returns null for an empty
 * text. Throws ApiError `invalid_parameter`.
 */
export function parseAcceptLanguage(value: string): string | null {
  if (value === '') return null;
  if (value.length > MAX_LANGUAGE_CHARACTERS) throw createError();
  const parts = value.split(',');
  if (parts.length > MAX_RANGES) throw createError();
  const weights = new Map<string, number>();
  for (const part of parts) {
    const { range, weight } = parseRange(part);
    if (!weights.has(range)) weights.set(range, weight);
  }
  // The sort is stable: languages of equal weight stay in the order given, which servers go by.
  return [...weights]
    .toSorted(([, a], [, b]) => b - a)
    .map(([range, weight]) => (weight === 1 ? range : `${range};q=${weight}`))
    .join(', ');
}

function parseRange(text: string): { range: string; weight: number } {
  const [, tag = '', weight = '1'] =
    /^[\t ]*([a-z\d-]{1,64}|\*)(?:[\t ]*;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[\t ]*$/i.exec(text) ?? [];
  const range = tag === '*' ? tag : canonicalizeTag(tag);
  if (range === null) throw createError();
  return { range, weight: Number(weight) };
}

/** Returns the canonical form of a BCP 47 tag, or null if it is not well-formed. */
function canonicalizeTag(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

function createError(): ApiError {
  return new ApiError(
    'invalid_parameter',
    `language must be a list of at most ${MAX_RANGES} BCP 47 tags, best first, like de-CH, de;q=0.9, *;q=0.1.`,
    { param: 'language' },
  );
}
