/** Revises a guess that a text is in Latin letters: statistics need more than a few words. */

const LATIN: ReadonlySet<string> = new Set(
  'windows-1250 windows-1252 windows-1254 windows-1257 windows-1258 iso-8859-2'.split(' '),
);
/** The bytes of š, ž, ū, ų and ņ in windows-1257: every Baltic language needs some of them. */
const BALTIC_LETTERS = /[\xd0\xd2\xd8\xdb\xde\xf0\xf2\xf8\xfb\xfe]/;

/**
 * Returns the most plausible of `guesses`: WHATWG names, best first.
 * `best` is the first that can decode `bytes`.
 */
export function reviseGuess(bytes: Buffer, best: string, guesses: readonly string[]): string {
  if (!LATIN.has(best)) return best;
  const text = bytes.toString('latin1');
  const isPlausible = (charset: string) => !hasSignsInWords(bytes, charset);
  const latin = best === 'windows-1257' && !BALTIC_LETTERS.test(text) ? 'windows-1252' : best;
  return [latin, ...guesses.filter((charset) => LATIN.has(charset))].find(isPlausible) ?? latin;
}

/** Returns whether words contain symbols in several contexts: letters of another encoding become symbols. */
function hasSignsInWords(bytes: Buffer, charset: string): boolean {
  const text = new TextDecoder(charset).decode(bytes);
  const contexts = new Set<string>();
  for (const { 0: before, 1: after } of text.matchAll(SIGN_IN_WORD)) {
    contexts.add(`${before}${after}`);
    if (contexts.size > 1) return true;
  }
  return false;
}

/** A symbol between letters, except hyphens, dashes, apostrophes, middle dots and trademark signs. */
const SIGN_IN_WORD =
  /\p{L}[^\p{L}\p{M}\0-\x7f\xa0\xa9\xad\xae\xb0\xb4\xb7\xd7\u2010-\u2026\u2122](?=(\p{L}))/gu;
