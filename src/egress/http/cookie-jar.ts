import { getPublicSuffix } from 'tldts';
import { isIP } from 'node:net';

interface Cookie {
  name: string;
  value: string;
  domain: string;
  isHostOnly: boolean;
  path: string;
  isSecure: boolean;
}

/** The cookies of one visit over a few pages. All of them end with the visit, whenever they expire. */
export interface CookieJar {
  /** Stores one Set-Cookie value of a response from `url` (RFC 6265 §5.2, §5.3). `now` in milliseconds. */
  store(url: URL, setCookie: string, now: number): void;
  /** Returns the Cookie header for a request; null if no cookie applies. */
  findHeader(url: URL): string | null;
}

const MAX_COOKIES = 50;
const MAX_COOKIE_LENGTH = 4096;

/** Returns the default path of a cookie (RFC 6265 §5.1.4). */
function computeDefaultPath(url: URL): string {
  const lastSlash = url.pathname.lastIndexOf('/');
  return lastSlash <= 0 ? '/' : url.pathname.slice(0, lastSlash);
}

function isDomainMatch(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && isIP(host) === 0);
}

function isPathMatch(path: string, cookiePath: string): boolean {
  if (path === cookiePath) return true;
  return path.startsWith(cookiePath) && (cookiePath.endsWith('/') || path[cookiePath.length] === '/');
}

function parseAttributes(parts: string[]): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = (equals === -1 ? part : part.slice(0, equals)).trim().toLowerCase();
    attributes.set(name, equals === -1 ? '' : part.slice(equals + 1).trim());
  }
  return attributes;
}

function isExpired(attributes: Map<string, string>, now: number): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = Date.parse(attributes.get('expires') ?? '');
  return expires <= now;
}

function parseCookie(
  url: URL,
  setCookie: string,
): { cookie: Cookie; attributes: Map<string, string> } | null {
  const [pair = '', ...rest] = setCookie.split(';');
  const equals = pair.indexOf('=');
  const name = equals === -1 ? '' : pair.slice(0, equals).trim();
  const value = pair.slice(equals + 1).trim();
  // Only characters that a Cookie header may hold; others could change the request.
  if (name === '' || /[^\x21-\x7e]/.test(name) || /[^\x20-\x7e\x80-\xff]/.test(value)) return null;
  const attributes = parseAttributes(rest);
  const host = url.hostname;
  const domain = (attributes.get('domain') ?? '').replace(/^\./, '').toLowerCase();
  const isOwnHost = domain === '' || domain === host;
  if (!isOwnHost && (!isDomainMatch(host, domain) || getPublicSuffix(domain) === domain)) return null;
  const path = attributes.get('path') ?? '';
  const cookie: Cookie = {
    name,
    value,
    domain: isOwnHost ? host : domain,
    isHostOnly: domain === '',
    path: path.startsWith('/') ? path : computeDefaultPath(url),
    isSecure: attributes.has('secure'),
  };
  return cookie.isSecure && url.protocol !== 'https:' ? null : { cookie, attributes };
}

/** Creates an empty jar. */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    store(url, setCookie, now) {
      if (setCookie.length > MAX_COOKIE_LENGTH) return;
      const parsed = parseCookie(url, setCookie);
      if (parsed === null) return;
      const { cookie } = parsed;
      const key = `${cookie.domain};${cookie.path};${cookie.name}`;
      if (isExpired(parsed.attributes, now)) cookies.delete(key);
      else if (cookies.has(key) || cookies.size < MAX_COOKIES) cookies.set(key, cookie);
    },
    findHeader(url) {
      const sent = [...cookies.values()].filter(
        (cookie) =>
          (cookie.isHostOnly ? url.hostname === cookie.domain : isDomainMatch(url.hostname, cookie.domain)) &&
          isPathMatch(url.pathname, cookie.path) &&
          (!cookie.isSecure || url.protocol === 'https:'),
      );
      if (sent.length === 0) return null;
      // RFC 6265 §5.4: longer paths first.
      return sent
        .sort((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ');
    },
  };
}
