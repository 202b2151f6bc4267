/** The options that say how Chromium prints the documents. */
import type { OptionRow } from '#options';
import {
  type Body,
  describeValue,
  getMember,
  throwInvalid,
  throwNotAString,
  throwUnexpected,
} from './members.ts';

const MAX_PAGE = 100_000;

/**
 * Returns page ranges without spaces, as Page.printToPDF takes them: `1-3,5`, `4-`. Returns null if the
 * syntax is wrong, a page is 0, or a range descends.
 */
function normalizePageRanges(text: string): string | null {
  const ranges = text.split(',').map((range) => range.trim());
  return ranges.every(isRange) ? ranges.map((range) => range.replace(/\s+/g, '')).join(',') : null;
}

function isRange(range: string): boolean {
  const match = /^(\d{1,6})(\s*-\s*(\d{1,6})?)?$/.exec(range);
  if (!match) return false;
  const first = Number(match[1]);
  const last = match[3] === undefined ? MAX_PAGE : Number(match[3]);
  return first >= 1 && first <= last && last <= MAX_PAGE;
}

/** Parses the factor by which the content is scaled. */
export function parseScale(
  body: Body,
  name: string,
  { default: fallback, minimum = 0, maximum = 0 }: OptionRow,
): number {
  const value = getMember(body, name) ?? fallback;
  return typeof value === 'number' && value >= minimum && value <= maximum
    ? value
    : throwNotAString(name, `a number from ${minimum} to ${maximum}`, value);
}

/** Parses the pages to print. */
export function parsePageRanges(body: Body, name: string, { maxLength = 0 }: OptionRow): string | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  const ranges = typeof value === 'string' && value.length <= maxLength ? normalizePageRanges(value) : null;
  return ranges ?? throwUnexpected(name, 'a string of pages and ascending ranges, such as "1-3,5"', value);
}

/** Parses the URL of the document. */
export function parseBaseUrl(body: Body, name: string, { maxLength = 0 }: OptionRow): string | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  if (typeof value === 'string' && value.length > maxLength)
    throwInvalid(name, `${name} must have at most ${maxLength} characters.`);
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const fault = findUrlFault(url);
  if (url !== null && fault === null) return url.href;
  return throwInvalid(
    name,
    `${name} must be an absolute http:// or https:// URL without credentials: it ${fault ?? `is ${describeValue(value)}`}.`,
  );
}

/** Returns what is wrong with a URL, without what may be secret in it; null if nothing is. */
function findUrlFault(url: URL | null): string | null {
  if (url === null) return null;
  if (url.username !== '' || url.password !== '') return 'has credentials';
  return /^https?:$/.test(url.protocol) ? null : `begins with ${JSON.stringify(url.protocol.slice(0, 40))}`;
}

/** The condition that a render waits for after the document has loaded. */
export type WaitFor = { selector: string } | { milliseconds: number };

/** The longest time that `wait_for` may name. */
export const MAX_WAIT_MS = 10_000;

/** A number with or without a unit. No CSS selector begins with a digit. */
const DURATION = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*(?:m?s|msecs?|secs?|milliseconds?|seconds?)?\s*$/i;
/** A whole number of milliseconds, for clients whose `wait_for` is a text. */
const MILLISECONDS = /^(\d{1,5})(?:ms)?$/;

/** Parses a selector, or a time as a number or as a text such as `500ms`. */
export function parseWaitFor(body: Body, name: string, { maxLength = 0 }: OptionRow): WaitFor | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  const text = typeof value === 'string' && value.length <= maxLength ? value : '';
  const milliseconds = Number(
    typeof value === 'number' ? value : (MILLISECONDS.exec(text)?.[1] ?? Number.NaN),
  );
  if (Number.isInteger(milliseconds) && milliseconds >= 0 && milliseconds <= MAX_WAIT_MS)
    return { milliseconds };
  if (DURATION.test(text))
    return throwInvalid(
      name,
      `${name} must be a whole number of milliseconds from 0 to ${MAX_WAIT_MS} to wait for a time, such as 2000.`,
    );
  if (text.trim() !== '') return { selector: text };
  return throwUnexpected(
    name,
    `a CSS selector of at most ${maxLength} characters, or a whole number of milliseconds from 0 to ${MAX_WAIT_MS}`,
    value,
  );
}

/** Parses the JavaScript that a render waits for. */
export function parseExpression(body: Body, name: string, { maxLength = 0 }: OptionRow): string | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return typeof value === 'string' && value.trim() !== '' && value.length <= maxLength
    ? value
    : throwUnexpected(
        name,
        `a JavaScript expression of at most ${maxLength} characters, such as "window.ready"`,
        value,
      );
}
