import { MAX_KEYWORD_CHARACTERS, MAX_KEYWORDS, MAX_KEYWORDS_CHARACTERS } from './limits.ts';
import { describeValue, getMember, throwInvalid, type Body } from './members.ts';
import { toLine } from './one-line.ts';

/** Parses keywords: an array, or a text that separates them with commas or semicolons. */
export function parseKeywords(body: Body): string[] {
  const value = getMember(body, 'keywords');
  if (value === undefined) return [];
  const texts = typeof value === 'string' ? value.split(/[,;]/).filter((text) => text.trim() !== '') : value;
  if (
    !Array.isArray(texts) ||
    texts.length > MAX_KEYWORDS ||
    (typeof value === 'string' && texts.length === 0)
  )
    throwInvalid(
      'keywords',
      `keywords must be an array of at most ${MAX_KEYWORDS} texts, or a text that separates them with commas: ${Array.isArray(texts) && texts.length > 0 ? `there are ${texts.length}` : `it is ${describeValue(value)}`}.`,
    );
  const keywords = texts.map((text, index) => parseKeyword(text, Array.isArray(value) ? index : null));
  const characters = keywords.reduce((sum, { length }) => sum + length, 0);
  return characters <= MAX_KEYWORDS_CHARACTERS
    ? keywords
    : throwInvalid(
        'keywords',
        `keywords must have at most ${MAX_KEYWORDS_CHARACTERS} characters together: they have ${characters}.`,
      );
}

function parseKeyword(text: unknown, index: number | null): string {
  const place = index === null ? 'keywords' : `keywords[${index}]`;
  return (
    toLine(text, MAX_KEYWORD_CHARACTERS) ??
    throwInvalid(
      place,
      `${index === null ? 'Each of keywords' : place} must be a text of 1 to ${MAX_KEYWORD_CHARACTERS} characters in one line, without control characters: it is ${describeValue(text)}.`,
    )
  );
}
