/** Parses language tags as pages write them into canonical BCP 47 (RFC 5646, CLDR). */
import { LRUCache } from 'lru-cache';

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
