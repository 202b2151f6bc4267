/** Language tags as pages write them → canonical BCP 47 (RFC 5646, CLDR), or null for what names no language. */
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** What was parsed before: Intl takes longer over a tag than the scanner over a page's head. */
const parsed = new Map<string, string | null>();
const MAX_KNOWN = 1_000;

/** What ISO 639-2 has for several languages, for none and for unknown ones. */
const NO_LANGUAGE = new Set(['mis', 'mul', 'und', 'zxx']);
/** The languages that have extended subtags, which are languages of their own (RFC 5646 §4.5: `zh-yue` is `yue`). */
const EXTENDED = /^(?:ar|kok|lv|ms|sgn|sw|uz|zh)-(?:[a-z]{3}-)?([a-z]{3})(?=-|$)/i;

/** Tags registered before there were rules for them, which Intl does not know (RFC 5646 §2.2.8), and what became of those that it knows then. */
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

/** `en_us` → `en-US`, `iw` → `he`, `zh-cmn-Hans` → `zh-Hans`; null for «english», `x-default`, `und`, `zxx` or a list. */
export function parseLanguage(value: string): string | null {
  if (value.length > 64) return null;
  const known = parsed.get(value);
  if (known !== undefined) return known;
  const tag = readTag(value);
  if (parsed.size < MAX_KNOWN) parsed.set(value, tag);
  return tag;
}

function readTag(value: string): string | null {
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
    return !NO_LANGUAGE.has(language) && names.of(language) !== undefined ? canonical : null;
  } catch {
    return null;
  }
}
