import { Refusal } from '../guard/refusal.ts';

/** Header fields in the order received: names and values, alternating, as bytes. */
export type RawHeaders = readonly Buffer[];

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * List fields, whose lines are combined (RFC 9110 §5.3). Content-Type is treated as one by browsers (WHATWG
 * Fetch).
 */
const LISTS = new Set(['cache-control', 'content-language', 'content-type', 'link', 'vary', 'x-robots-tag']);

/**
 * Returns values (latin1) by lower-case name. A repeated name has its first value; a list field has all its
 * values, joined.
 */
export function parseHeaders(raw: RawHeaders): Map<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]?.toString('latin1').toLowerCase() ?? '';
    const value = raw[index + 1]?.toString('latin1').trim() ?? '';
    const before = headers.get(name);
    if (before === undefined) headers.set(name, value);
    else if (LISTS.has(name)) headers.set(name, `${before}, ${value}`);
  }
  return headers;
}

/** Returns every value of one header, in order. `name` is lower case. */
export function findHeaderValues(raw: RawHeaders, name: string): Buffer[] {
  const values: Buffer[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const value = raw[index + 1];
    if (raw[index]?.length === name.length && raw[index]?.toString('latin1').toLowerCase() === name && value)
      values.push(value);
  }
  return values;
}

/** Decodes a header value that may be UTF-8, as Location is in practice; latin1 otherwise. */
function decodeHeaderValue(value: Buffer): string {
  try {
    return strictUtf8.decode(value).trim();
  } catch {
    return value.toString('latin1').trim();
  }
}

/** The maximum number of redirects from the first URL to the final response. */
export const MAX_REDIRECTS = 10;
const MAX_LOCATION_BYTES = 8192;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Reports whether a status is a redirect (RFC 9110 §15.4); 300 and 304 are not. */
function isRedirectStatus(status: number): boolean {
  return REDIRECT_STATUSES.has(status);
}

/**
 * Returns the target of a redirect, with its fragment; null if it has none, so that it is the final response.
 * The first Location counts. Throws Refusal if it is not a URL.
 */
export function parseLocation(base: URL, status: number, headers: RawHeaders): URL | null {
  if (!isRedirectStatus(status)) return null;
  const [value] = findHeaderValues(headers, 'location');
  if (value === undefined) return null;
  const target = value.length > MAX_LOCATION_BYTES ? null : URL.parse(decodeHeaderValue(value), base);
  if (target === null) throw new Refusal('the Location is not a URL');
  return target;
}

/** Returns the refusal of endless redirects, or of more than the request permits. */
export function redirectRefusal(detail: 'loop' | 'too many', max: number = MAX_REDIRECTS): Refusal {
  const excess =
    max < MAX_REDIRECTS
      ? `it redirects more often than max_redirects permits (${max})`
      : `it redirects more than ${max} times`;
  const fault = detail === 'loop' ? 'its redirects lead in a circle' : excess;
  return new Refusal(`redirects: ${detail}`, { publicFailure: `could not be reached: ${fault}` });
}
