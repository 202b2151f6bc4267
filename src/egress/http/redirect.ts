import { decodeHeaderValue, findHeaderValues, type RawHeaders } from './headers.ts';
import { Refusal } from '../guard/refusal.ts';

/** Redirects from the first URL to the final response at most. */
export const MAX_REDIRECTS = 10;
const MAX_LOCATION_BYTES = 8192;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Reports whether a status is a redirect (RFC 9110 §15.4); 300 and 304 are not. */
export function isRedirectStatus(status: number): boolean {
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

/** Returns the refusal of redirects without an end. */
export function redirectRefusal(detail: 'loop' | 'too many'): Refusal {
  return new Refusal(`redirects: ${detail}`, {
    publicFailure:
      detail === 'loop'
        ? 'could not be reached: its redirects lead in a circle'
        : `could not be reached: it redirects more than ${MAX_REDIRECTS} times`,
  });
}
