import { ApiError } from '#errors';
import { MAX_CHARACTERS } from './limits.ts';
import { normalizePageRanges } from './page-ranges.ts';

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
