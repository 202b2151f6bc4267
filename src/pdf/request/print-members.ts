/** The options that say how Chromium prints the documents. */
import { describeValue, throwInvalid, throwUnexpected, type Rules } from './members.ts';

const MAX_PAGE = 100_000;

/**
 * Parses the pages to print. Returns them without spaces, as Page.printToPDF takes them: `1-3,5`, `4-`. Null
 * if the syntax is wrong, a page is 0, or a range descends.
 */
export function parsePageRanges(text: string, { maxLength = 0 }: Rules): string | null {
  const ranges = text.length <= maxLength ? text.split(',').map((range) => range.trim()) : [''];
  return ranges.every(isRange) ? ranges.map((range) => range.replace(/\s+/g, '')).join(',') : null;
}

function isRange(range: string): boolean {
  const match = /^(\d{1,6})(\s*-\s*(\d{1,6})?)?$/.exec(range);
  if (!match) return false;
  const first = Number(match[1]);
  const last = match[3] === undefined ? MAX_PAGE : Number(match[3]);
  return first >= 1 && first <= last && last <= MAX_PAGE;
}

/** Parses the URL of the document. The messages do not show what may be secret in it. */
export function parseBaseUrl(text: string, { maxLength = 0 }: Rules, name: string): string {
  if (text.length > maxLength) throwInvalid(name, `${name} must have at most ${maxLength} characters.`);
  const url = URL.parse(text);
  let fault = null;
  if (url === null) fault = `is ${describeValue(text)}`;
  else if (url.username !== '' || url.password !== '') fault = 'has credentials';
  else if (/^https?:$/.test(url.protocol)) return url.href;
  else fault = `begins with ${JSON.stringify(url.protocol.slice(0, 40))}`;
  return throwInvalid(name, `${name} must be ${BASE_URL}: it ${fault}.`);
}

/** The rule of `base_url`, for messages. */
export const BASE_URL = 'an absolute http:// or https:// URL without credentials';

/** The condition that a render waits for after the document has loaded. */
export type WaitFor = { selector: string } | { milliseconds: number };

/** The longest time that `wait_for` may name. */
export const MAX_WAIT_MS = 10_000;

/** A number with or without a unit. No CSS selector begins with a digit. */
const DURATION = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*(?:m?s|msecs?|secs?|milliseconds?|seconds?)?\s*$/i;
/** A whole number of milliseconds, for clients whose `wait_for` is a text. */
const MILLISECONDS = /^(\d{1,5})(?:ms)?$/;

/** Parses a selector, or a time as a number or as a text such as `500ms`. */
export function parseWaitFor(value: unknown, { maxLength = 0 }: Rules, name: string): WaitFor {
  const text = typeof value === 'string' && value.length <= maxLength ? value : '';
  const milliseconds = Number(
    typeof value === 'number' ? value : (MILLISECONDS.exec(text)?.[1] ?? Number.NaN),
  );
  if (Number.isInteger(milliseconds) && milliseconds >= 0 && milliseconds <= MAX_WAIT_MS)
    return { milliseconds };
  const expected = `a whole number of milliseconds from 0 to ${MAX_WAIT_MS}`;
  if (DURATION.test(text))
    return throwInvalid(name, `${name} must be ${expected} to wait for a time, such as 2000.`);
  if (text.trim() !== '') return { selector: text };
  return throwUnexpected(name, `a CSS selector of at most ${maxLength} characters, or ${expected}`, value);
}

/** Parses the JavaScript that a render waits for. */
export function parseExpression(text: string, { maxLength = 0 }: Rules): string | null {
  return text.trim() !== '' && text.length <= maxLength ? text : null;
}
