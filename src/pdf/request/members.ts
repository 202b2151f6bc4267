import { ApiError } from '#errors';
import { MAX_CHARACTERS } from './limits.ts';

/** Returns a text of one line, trimmed; null if it is blank, too long, or has control characters. */
export function toLine(value: unknown, maxCharacters: number): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  const isUsable =
    text.length > 0 &&
    text.length <= maxCharacters &&
    text.isWellFormed() &&
    !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
  return isUsable ? text : null;
}

/** Checks whether a text is the name of a file on every system: no folder, nothing that hides its end. */
export function isName(text: string, maxCharacters: number): boolean {
  return toLine(text, maxCharacters) === text && !/[\p{Bidi_Control}/\\]/u.test(text) && !/^\.+$/.test(text);
}

/** Runs the parser of a part of the body, such as `more_documents[1]`. Its errors name the part. */
export function inPlace<T>(place: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const param = error.param === undefined ? place : `${place}.${error.param}`;
    throw new ApiError(error.code, `${place}: ${error.message}`, { param, cause: error.cause });
  }
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list; none if the member is absent. Throws `invalid_parameter`. */
export function parseObjects(
  name: string,
  value: unknown,
  { max, example }: { max: number; example: string },
): readonly Body[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > max)
    throwInvalid(
      name,
      `${name} must be an array of at most ${max} objects, such as ${example}: ${Array.isArray(value) ? `it has ${value.length}` : `it is ${describeValue(value)}`}.`,
    );
  for (const [index, item] of value.entries())
    if (!isObject(item)) throwUnexpected(`${name}[${index}]`, `an object, such as ${example}`, item);
  return value as Body[];
}

export const PIXELS_PER_INCH = 96;
export const PIXELS_PER_MM = PIXELS_PER_INCH / 25.4;

/** CSS pixels in each absolute unit of CSS Values 4 §6.2. */
const PIXELS: Record<string, number> = {
  px: 1,
  in: PIXELS_PER_INCH,
  cm: PIXELS_PER_INCH / 2.54,
  mm: PIXELS_PER_MM,
  q: PIXELS_PER_MM / 4,
  pt: PIXELS_PER_INCH / 72,
  pc: PIXELS_PER_INCH / 6,
};

/**
 * Parses an absolute CSS length that is not negative (`20mm`, `.5in`, `0`) to CSS pixels. Returns null for
 * anything else: percentages, relative units, calc(), a number without a unit other than zero.
 */
export function parseCssLength(text: string): number | null {
  const match = /^\+?(\d+(?:\.\d+)?|\.\d+)(e[+-]?\d{1,3})?([a-z]{1,2})?$/i.exec(text.trim());
  if (!match) return null;
  const value = Number(`${match[1]}${match[2] ?? ''}`);
  if (match[3] === undefined) return value === 0 ? 0 : null;
  const unit = PIXELS[match[3].toLowerCase()];
  return unit === undefined || !Number.isFinite(value) ? null : value * unit;
}

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

export type Body = Record<string, unknown>;

const MAX_SHOWN_CHARACTERS = 60;

/** Throws `invalid_parameter`, which names the member. */
export function throwInvalid(param: string, message: string): never {
  throw new ApiError('invalid_parameter', message, { param });
}

/** Throws `invalid_parameter`, which says what the member must be, and what was received. */
export function throwUnexpected(param: string, expected: string, value: unknown): never {
  throwInvalid(param, `${param} must be ${expected}: it is ${describeValue(value)}.`);
}

/** Describes a value of a client: a short one as JSON, any other by its kind. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return value.length <= MAX_SHOWN_CHARACTERS
      ? JSON.stringify(value)
      : `a string of ${value.length} characters`;
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : (JSON.stringify(value) ?? 'missing');
}

/** Returns the value of a member; undefined if it is absent or null. */
export function getMember(body: Body, name: string): unknown {
  return Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined;
}

/**
 * Checks the size of a text. `place`: the object that has the member, if it is not the body. Throws
 * `payload_too_large`.
 */
export function checkTextSize(body: Body, name: string, maxBytes: number, place?: string): void {
  const value = getMember(body, name);
  if (typeof value !== 'string' || Buffer.byteLength(value, 'utf8') <= maxBytes) return;
  const param = place === undefined ? name : `${place}.${name}`;
  const bytes = Buffer.byteLength(value, 'utf8').toLocaleString('en');
  throw new ApiError(
    'payload_too_large',
    `${param} must be at most ${maxBytes / 1024} KiB of UTF-8: it has ${bytes} bytes.`,
    { param },
  );
}

/** Throws `invalid_parameter`, which says what is wrong with `"1.5"` and `"true"`, which look right. */
function throwNotAString(param: string, expected: string, value: unknown): never {
  if (typeof value === 'string') throwInvalid(param, `${param} must be ${expected}, not a string.`);
  throwUnexpected(param, expected, value);
}

export function parseText(body: Body, name: string): string | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return typeof value === 'string' ? value : throwUnexpected(name, 'a string', value);
}

export function parseBoolean(body: Body, name: string): boolean | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return typeof value === 'boolean' ? value : throwNotAString(name, 'true or false', value);
}

export function parseOneOf<T extends string>(body: Body, name: string, allowed: readonly T[]): T | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return allowed.find((one) => one === value) ?? throwUnexpected(name, formatChoices(allowed), value);
}

/** Formats `"a"`, `"a" or "b"`, or `"a", "b" or "c"`. */
export function formatChoices(allowed: readonly string[]): string {
  const quoted = allowed.map((one) => `"${one}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

export function parseScale(body: Body): number | null {
  const value = getMember(body, 'scale');
  if (value === undefined) return null;
  return typeof value === 'number' && value >= 0.1 && value <= 2
    ? value
    : throwNotAString('scale', 'a number from 0.1 to 2', value);
}

export function parsePageRanges(body: Body): string | null {
  const value = getMember(body, 'page_ranges');
  if (value === undefined) return null;
  const ranges =
    typeof value === 'string' && value.length <= MAX_CHARACTERS.page_ranges
      ? normalizePageRanges(value)
      : null;
  return (
    ranges ?? throwUnexpected('page_ranges', 'a string of pages and ascending ranges, such as "1-3,5"', value)
  );
}

export function parseBaseUrl(body: Body): string | null {
  const value = getMember(body, 'base_url');
  if (value === undefined) return null;
  if (typeof value === 'string' && value.length > MAX_CHARACTERS.base_url)
    throwInvalid('base_url', `base_url must have at most ${MAX_CHARACTERS.base_url} characters.`);
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const fault = findUrlFault(url);
  if (url !== null && fault === null) return url.href;
  return throwInvalid(
    'base_url',
    `base_url must be an absolute http:// or https:// URL without credentials: it ${fault ?? `is ${describeValue(value)}`}.`,
  );
}

/** Returns what is wrong with a URL, without what may be secret in it; null if nothing is. */
function findUrlFault(url: URL | null): string | null {
  if (url === null) return null;
  if (url.username !== '' || url.password !== '') return 'has credentials';
  return /^https?:$/.test(url.protocol) ? null : `begins with ${JSON.stringify(url.protocol.slice(0, 40))}`;
}
