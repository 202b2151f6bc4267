/** The members that the metadata of the PDF and its file name come from. */
import { MAX_CHARACTERS } from './limits.ts';
import { getMember, throwUnexpected, type Body } from './members.ts';
import { isName, toLine } from './one-line.ts';

const RFC_3339 = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Parses a time (RFC 3339 §5.6) from 1970 on to milliseconds since 1970, and its date as it is written. */
export function parseNow(body: Body): { now: number | null; date: string | null } {
  const value = getMember(body, 'now');
  if (value === undefined) return { now: null, date: null };
  const text = typeof value === 'string' ? value.toUpperCase() : '';
  const day = RFC_3339.exec(text)?.[1];
  const now = day === undefined ? Number.NaN : Date.parse(text);
  const date = text.slice(0, 10);
  // Date.parse() takes February 30 for March 2.
  const hasDay = new Date(date).getUTCDate() === Number(day);
  if (now >= 0 && hasDay) return { now, date };
  return throwUnexpected(
    'now',
    'a time from 1970 on as RFC 3339 writes it, such as "2026-11-21T09:30:00Z"',
    value,
  );
}

/** Parses a text of one line. Trims it, as Chromium does with a document's title. */
export function parseLine(body: Body, name: 'title' | 'author' | 'subject'): string | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return (
    toLine(value, MAX_CHARACTERS[name]) ??
    throwUnexpected(
      name,
      `a text of 1 to ${MAX_CHARACTERS[name]} characters in one line, without control characters`,
      value,
    )
  );
}

/** Parses a language tag (BCP 47) to its canonical form: `DE-at` → `de-AT`. */
export function parseLanguage(body: Body): string | null {
  const value = getMember(body, 'lang');
  if (value === undefined) return null;
  const isShort = typeof value === 'string' && value.length <= MAX_CHARACTERS.lang;
  return (
    (isShort ? canonicalizeTag(value) : null) ??
    throwUnexpected('lang', 'a language tag (BCP 47), such as "de" or "pt-BR"', value)
  );
}

function canonicalizeTag(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** Parses a file name without folders or control characters. Appends `.pdf` if it is missing. */
export function parseFilename(body: Body): string | null {
  const value = getMember(body, 'filename');
  if (value === undefined) return null;
  const name = typeof value === 'string' ? value.trim() : '';
  if (!isName(name, MAX_CHARACTERS.filename))
    throwUnexpected(
      'filename',
      `a name of 1 to ${MAX_CHARACTERS.filename} characters without slashes or control characters, such as "invoice.pdf"`,
      value,
    );
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}
