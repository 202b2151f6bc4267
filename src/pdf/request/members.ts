import { ApiError } from '#errors';
import { parseCssLength } from './css-length.ts';
import { normalizePageRanges } from './page-ranges.ts';

/** The condition that a render waits for after the document has loaded. */
export type WaitFor = { selector: string } | { milliseconds: number };

type Body = Record<string, unknown>;

const MAX_WAIT_MS = 10_000;
const MAX_SELECTOR_CHARACTERS = 1_000;
const MAX_EXPRESSION_CHARACTERS = 10_000;
const MAX_URL_CHARACTERS = 4_096;
const MAX_RANGES_CHARACTERS = 1_000;
const MAX_FILENAME_CHARACTERS = 200;

function refuse(param: string, message: string): never {
  throw new ApiError('invalid_parameter', message, { param });
}

/** Returns the value of a member; undefined if it is absent or null. */
function getMember(body: Body, name: string): unknown {
  return Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined;
}

/**
 * Checks the size of a text at once, and its type when the returned function is called: a text that is too
 * large is reported before any other error.
 */
export function parseText(body: Body, name: string, maxBytes: number): () => string | null {
  const value = getMember(body, name);
  if (typeof value === 'string' && Buffer.byteLength(value, 'utf8') > maxBytes) {
    throw new ApiError(
      'payload_too_large',
      `${name} may have at most ${maxBytes / 1024} KiB of UTF-8: send less.`,
      { param: name },
    );
  }
  return () => {
    if (value === undefined) return null;
    return typeof value === 'string' ? value : refuse(name, `${name} must be a string.`);
  };
}

export function parseBoolean(body: Body, name: string): boolean | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return typeof value === 'boolean' ? value : refuse(name, `${name} must be true or false.`);
}

export function parseOneOf<T extends string>(body: Body, name: string, allowed: readonly T[]): T | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return (
    allowed.find((one) => one === value) ??
    refuse(name, `${name} must be ${allowed.map((one) => `"${one}"`).join(' or ')}.`)
  );
}

/** Parses a margin to CSS pixels. */
export function parseMargin(body: Body, name: string): number | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  const length = typeof value === 'string' ? parseCssLength(value) : null;
  return (
    length ??
    refuse(
      name,
      `${name} must be a string with a CSS length in mm, cm, in, px, pt, pc or Q that is not negative, such as "20mm".`,
    )
  );
}

export function parseScale(body: Body): number | null {
  const value = getMember(body, 'scale');
  if (value === undefined) return null;
  return typeof value === 'number' && value >= 0.1 && value <= 2
    ? value
    : refuse('scale', 'scale must be a number from 0.1 to 2.');
}

export function parsePageRanges(body: Body): string | null {
  const value = getMember(body, 'page_ranges');
  if (value === undefined) return null;
  const ranges =
    typeof value === 'string' && value.length <= MAX_RANGES_CHARACTERS ? normalizePageRanges(value) : null;
  return (
    ranges ??
    refuse('page_ranges', 'page_ranges must be a string of pages and ascending ranges, such as "1-3,5".')
  );
}

export function parseBaseUrl(body: Body): string | null {
  const value = getMember(body, 'base_url');
  if (value === undefined) return null;
  const url = typeof value === 'string' && value.length <= MAX_URL_CHARACTERS ? URL.parse(value) : null;
  const isUsable =
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isUsable
    ? url.href
    : refuse('base_url', 'base_url must be an absolute http:// or https:// URL without credentials.');
}

export function parseWaitFor(body: Body): WaitFor | null {
  const value = getMember(body, 'wait_for');
  if (value === undefined) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_WAIT_MS)
    return { milliseconds: value };
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_SELECTOR_CHARACTERS)
    return { selector: value };
  return refuse(
    'wait_for',
    `wait_for must be a CSS selector of at most ${MAX_SELECTOR_CHARACTERS} characters, or a whole number of milliseconds from 0 to ${MAX_WAIT_MS}.`,
  );
}

export function parseWaitForExpression(body: Body): string | null {
  const value = getMember(body, 'wait_for_expression');
  if (value === undefined) return null;
  const isUsable =
    typeof value === 'string' && value.trim() !== '' && value.length <= MAX_EXPRESSION_CHARACTERS;
  return isUsable
    ? value
    : refuse(
        'wait_for_expression',
        `wait_for_expression must be a JavaScript expression of at most ${MAX_EXPRESSION_CHARACTERS} characters, such as "window.ready".`,
      );
}

const RFC_3339 = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Parses a time (RFC 3339 §5.6) from 1970 on to milliseconds since 1970. */
export function parseNow(body: Body): number | null {
  const value = getMember(body, 'now');
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value.toUpperCase() : '';
  const day = RFC_3339.exec(text)?.[1];
  const time = day === undefined ? Number.NaN : Date.parse(text);
  // Date.parse() takes February 30 for March 2.
  const hasDay = new Date(text.slice(0, 10)).getUTCDate() === Number(day);
  return time >= 0 && hasDay
    ? time
    : refuse('now', 'now must be a time from 1970 on as RFC 3339 writes it, such as "2026-11-21T09:30:00Z".');
}

/** Parses a file name without folders or control characters. Appends `.pdf` if it is missing. */
export function parseFilename(body: Body): string | null {
  const value = getMember(body, 'filename');
  if (value === undefined) return null;
  const name = typeof value === 'string' ? value.trim() : '';
  const isUsable =
    name.length > 0 &&
    name.length <= MAX_FILENAME_CHARACTERS &&
    name.isWellFormed() &&
    !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/u.test(name) &&
    !/^\.+$/.test(name);
  if (!isUsable)
    refuse(
      'filename',
      `filename must be a name of 1 to ${MAX_FILENAME_CHARACTERS} characters without slashes or control characters, such as "invoice.pdf".`,
    );
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}
