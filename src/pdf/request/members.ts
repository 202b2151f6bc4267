import { ApiError } from '#errors';
import { MAX_CHARACTERS } from './limits.ts';
import { normalizePageRanges } from './page-ranges.ts';

export type Body = Record<string, unknown>;

/** Throws `invalid_parameter`, which names the member. */
export function throwInvalid(param: string, message: string): never {
  throw new ApiError('invalid_parameter', message, { param });
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
  throw new ApiError('payload_too_large', `${param} must be at most ${maxBytes / 1024} KiB of UTF-8.`, {
    param,
  });
}

/** Formats what is wrong with `"1.5"` and `"true"`, which look right. */
function formatNotAString(value: unknown): string {
  return typeof value === 'string' ? ', not a string' : '';
}

export function parseText(body: Body, name: string): string | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return typeof value === 'string' ? value : throwInvalid(name, `${name} must be a string.`);
}

export function parseBoolean(body: Body, name: string): boolean | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return typeof value === 'boolean'
    ? value
    : throwInvalid(name, `${name} must be true or false${formatNotAString(value)}.`);
}

export function parseOneOf<T extends string>(body: Body, name: string, allowed: readonly T[]): T | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return (
    allowed.find((one) => one === value) ?? throwInvalid(name, `${name} must be ${formatChoices(allowed)}.`)
  );
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
    : throwInvalid('scale', `scale must be a number from 0.1 to 2${formatNotAString(value)}.`);
}

export function parsePageRanges(body: Body): string | null {
  const value = getMember(body, 'page_ranges');
  if (value === undefined) return null;
  const ranges =
    typeof value === 'string' && value.length <= MAX_CHARACTERS.page_ranges
      ? normalizePageRanges(value)
      : null;
  return (
    ranges ??
    throwInvalid(
      'page_ranges',
      'page_ranges must be a string of pages and ascending ranges, such as "1-3,5".',
    )
  );
}

export function parseBaseUrl(body: Body): string | null {
  const value = getMember(body, 'base_url');
  if (value === undefined) return null;
  if (typeof value === 'string' && value.length > MAX_CHARACTERS.base_url)
    throwInvalid('base_url', `base_url must have at most ${MAX_CHARACTERS.base_url} characters.`);
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const isUsable =
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isUsable
    ? url.href
    : throwInvalid('base_url', 'base_url must be an absolute http:// or https:// URL without credentials.');
}
