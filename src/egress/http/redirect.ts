import { decodeHeaderValue, readHeaderValues, type RawHeaders } from './headers.ts';
import { Refusal } from '../guard/refusal.ts';

/** At most so many redirects from the first URL to the answer. */
export const MAX_REDIRECTS = 10;
const MAX_LOCATION_BYTES = 8192;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Whether a status asks to go elsewhere (RFC 9110 §15.4); 300 and 304 do not. */
export function isRedirectStatus(status: number): boolean {
  return REDIRECT_STATUSES.has(status);
}

/**
 * The URL that a redirect leads to, without fragment; null where it names none, so that the response itself is the answer.
 * Throws Refusal where it names one that cannot be followed. Where it names several, the first counts.
 */
export function readLocation(base: URL, status: number, headers: RawHeaders): URL | null {
  if (!isRedirectStatus(status)) return null;
  const [value] = readHeaderValues(headers, 'location');
  if (value === undefined) return null;
  const target = value.length > MAX_LOCATION_BYTES ? null : URL.parse(decodeHeaderValue(value), base);
  if (target === null) throw new Refusal('a Location that is no URL');
  target.hash = '';
  return target;
}

/** The refusal of a walk that does not end. */
export function redirectRefusal(detail: 'loop' | 'too many'): Refusal {
  return new Refusal(`redirects: ${detail}`, {
    publicSentence:
      detail === 'loop'
        ? 'The target URL could not be reached: its redirects lead in a circle.'
        : `The target URL could not be reached: it redirects more than ${MAX_REDIRECTS} times.`,
  });
}
