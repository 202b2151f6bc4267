import type { RawHeaders } from './headers.ts';

/**
 * Request headers of a document that are sent: the CORS-safelisted ones, those of conditional and range
 * requests, and an Authorization that its script set. Cookies, Referer, Host, proxy and forwarding headers
 * are not.
 */
const REQUEST_HEADERS = new Set([
  'accept',
  'accept-language',
  'authorization',
  'content-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'origin',
  'range',
]);

/**
 * Secrets, which a redirect to another origin must not reveal (WHATWG Fetch, HTTP-redirect fetch, step 13).
 */
const SAME_ORIGIN_HEADERS = new Set(['authorization']);
const BODY_HEADERS = new Set(['content-language', 'content-type']);

/**
 * Hop-by-hop headers, those that are wrong for a decoded body, and those that set state which a render does
 * not keep.
 */
const DROPPED_RESPONSE_HEADERS = new Set([
  'alt-svc',
  'clear-site-data',
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'set-cookie',
  'set-cookie2',
  'strict-transport-security',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the headers of a document's request that are sent, names lower case. */
export function pickRequestHeaders(headers: Record<string, string>): Map<string, string> {
  const kept = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const lowerCase = name.toLowerCase();
    // Tab, visible ASCII and bytes above: another character could end the header.
    if (REQUEST_HEADERS.has(lowerCase) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) kept.set(lowerCase, value);
  }
  return kept;
}

/**
 * Deletes the headers that must not follow a redirect: secrets to another origin, and those of a body that is
 * dropped.
 */
export function dropForRedirect(
  headers: Map<string, string>,
  isSameOrigin: boolean,
  keepsBody: boolean,
): void {
  for (const name of headers.keys()) {
    if ((!isSameOrigin && SAME_ORIGIN_HEADERS.has(name)) || (!keepsBody && BODY_HEADERS.has(name))) {
      headers.delete(name);
    }
  }
}

/** Returns the response headers for the document, in order, names lower case. */
export function pickResponseHeaders(raw: RawHeaders): [name: string, value: string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]?.toString('latin1').toLowerCase() ?? '';
    if (!DROPPED_RESPONSE_HEADERS.has(name))
      headers.push([name, raw[index + 1]?.toString('latin1').trim() ?? '']);
  }
  return headers;
}
