import { ApiError } from '#errors';

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
  const range = tag === '*' ? tag : canonicalize(tag);
  if (range === null) throw createError();
  return { range, weight: Number(weight) };
}

/** Returns the canonical form of a BCP 47 tag, or null if it is not well-formed. */
function canonicalize(tag: string): string | null {
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
