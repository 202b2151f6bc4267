import { ApiError } from '#errors';

/**
 * Returns the request target of `path` with `members` as its query, without those that are null. Throws
 * `invalid_json` for text that is not valid Unicode.
 */
export function formatTarget(path: string, members: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(members)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!text.isWellFormed()) throw new ApiError('invalid_json');
  return encodeURIComponent(text);
}
