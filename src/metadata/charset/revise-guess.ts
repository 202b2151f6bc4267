/** Revises a guess that a text is in Latin letters: statistics need more than a few words. */

const LATIN: ReadonlySet<string> = new Set(
  'windows-1250 windows-1252 windows-1254 windows-1257 windows-1258 iso-8859-2'.split(' '),
);
const CJK: ReadonlySet<string> = new Set('big5 euc-jp euc-kr gb18030 gbk shift_jis'.split(' '));

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
  if (isWholeWords(text)) {
    const others = guesses.filter((charset) => !LATIN.has(charset) && !CJK.has(charset));
    return findDoubleByte(text) ?? others.find(isPlausible) ?? best;
  }
  const latin = best === 'windows-1257' && !BALTIC_LETTERS.test(text) ? 'windows-1252' : best;
  return [latin, ...guesses.filter((charset) => LATIN.has(charset))].find(isPlausible) ?? latin;
}

/** Returns whether most bytes above ASCII are in runs of three or more: text in Latin letters has few. */
function isWholeWords(text: string): boolean {
  const all = text.match(/[\x80-\xff]/g)?.length ?? 0;
  const runs = text.match(/[\x80-\xff]{3,}/g)?.join('').length ?? 0;
  return all >= 8 && runs >= all * 0.8;
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

/**
 * Returns the encoding of a text in which all characters have two bytes: EUC-JP if it has kana, EUC-KR if it
 * has Hangul only, GBK if it has mostly common Chinese characters; else undefined.
 */
function findDoubleByte(text: string): string | undefined {
  const runs = text.match(/[\x80-\xff]+/g) ?? [];
  if (!runs.every((run) => /^(?:[\xa1-\xfe]{2})+$/.test(run))) return undefined;
  const pairs = runs.join('').match(/../gs) ?? [];
  const share = (rows: RegExp) => pairs.filter((pair) => rows.test(pair)).length / pairs.length;
  if (share(/^[\xa4\xa5]/) > 0.2) return 'euc-jp';
  if (share(/^[\xa1-\xa3\xb0-\xc8]/) === 1) return 'euc-kr';
  return share(/^[\xa1-\xa3\xb0-\xd7]/) > 0.8 ? 'gbk' : undefined;
}
