import type { FetchPageRequest, PageIdentity, UserAgentKind } from '#metadata';
import { ACCEPT_ENCODING } from './content-decoding.ts';
import type { RawHeaders } from './headers.ts';

/** The headers by which the service introduces itself to the pages that it fetches. */
interface BotOptions {
  /** The whole User-Agent of the bot; null for the service's own. */
  userAgent: string | null;
  /** The page that says who runs the bot and how to reach them; named in the service's own User-Agent. */
  contactUrl: string | null;
}

/** The major version of the browser that renders documents; a test compares it with the package's. */
export const BROWSER_VERSION = 153;

const BROWSER_AGENT = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${BROWSER_VERSION}.0.0.0 Safari/537.36`;
/** The languages of the browser if the request names none: every browser sends some. */
const BROWSER_LANGUAGE = 'en-US,en;q=0.9';

/** Returns the User-Agent of each kind. Fetches that are not for a page use the one of `bot`. */
export function createUserAgents({ userAgent, contactUrl }: BotOptions): Record<UserAgentKind, string> {
  const contact = contactUrl === null ? '' : `; +${contactUrl}`;
  const bot = userAgent ?? `Mozilla/5.0 (compatible; UtilityAPIbot/1.0${contact})`;
  return {
    bot,
    // A comment (RFC 9110 §10.1.5) in plain words, and not the name of a crawler that sites know.
    preview: `${bot} (link preview; one page at the request of a user)`,
    browser: BROWSER_AGENT,
  };
}

/** Returns the headers of a page's identity, for the requests that its scripts make. */
export function formatIdentity(
  { language, userAgent: kind }: PageIdentity,
  userAgents: Record<UserAgentKind, string>,
): { userAgent: string; language: string | null } {
  return {
    userAgent: userAgents[kind],
    language: language ?? (kind === 'browser' ? BROWSER_LANGUAGE : null),
  };
}

const ACCEPT_PAGE = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5';

type PageHeaderOptions = Partial<PageIdentity> & Pick<FetchPageRequest, 'accept'>;

/** Returns the headers of a page's request, names and values in turn, without cookies. */
export function buildPageHeaders(
  url: URL,
  { language = null, userAgent: kind = 'bot', accept }: PageHeaderOptions,
  userAgents: Record<UserAgentKind, string>,
): string[] {
  if (kind === 'browser') {
    const browserLanguage = language ?? BROWSER_LANGUAGE;
    return accept === undefined
      ? buildBrowserHeaders(url, browserLanguage)
      : buildBrowserObjectHeaders(url, browserLanguage, accept);
  }
  const headers = ['user-agent', userAgents[kind], 'accept', accept ?? ACCEPT_PAGE, ...ACCEPT_ENCODING];
  if (language !== null) headers.push('accept-language', language);
  return headers;
}

const CLIENT_HINTS = [
  'sec-ch-ua',
  `"Chromium";v="${BROWSER_VERSION}", "Not_A Brand";v="24"`,
  'sec-ch-ua-mobile',
  '?0',
  'sec-ch-ua-platform',
  '"Linux"',
];

const ACCEPT_IMAGE = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

/** Returns the headers that Chromium sends for an image of a page, or for a fetch by its script. */
function buildBrowserObjectHeaders(url: URL, language: string, accept: string): string[] {
  const isImage = accept.startsWith('image/');
  // A request to another site would have a Referer or an Origin.
  const fetchMetadata = [
    'sec-fetch-site',
    'same-origin',
    'sec-fetch-mode',
    isImage ? 'no-cors' : 'cors',
    'sec-fetch-dest',
    isImage ? 'image' : 'empty',
  ];
  const isSecure = url.protocol === 'https:';
  return [
    ...(isSecure ? CLIENT_HINTS : []),
    'user-agent',
    BROWSER_AGENT,
    'accept',
    isImage ? ACCEPT_IMAGE : accept,
    ...(isSecure ? fetchMetadata : []),
    ...ACCEPT_ENCODING,
    'accept-language',
    language,
  ];
}

/** Returns the headers that Chromium sends for an address that its user typed, in Chromium's order. */
function buildBrowserHeaders(url: URL, language: string): string[] {
  const fetchMetadata = [
    'sec-fetch-site',
    'none',
    'sec-fetch-mode',
    'navigate',
    'sec-fetch-user',
    '?1',
    'sec-fetch-dest',
    'document',
  ];
  // A browser sends both kinds only to a secure origin.
  const isSecure = url.protocol === 'https:';
  return [
    ...(isSecure ? CLIENT_HINTS : []),
    'upgrade-insecure-requests',
    '1',
    'user-agent',
    BROWSER_AGENT,
    'accept',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
    ...(isSecure ? fetchMetadata : []),
    ...ACCEPT_ENCODING,
    'accept-language',
    language,
  ];
}

/**
 * The request headers of a document that are sent: the CORS-safelisted ones, the headers of conditional and
 * range requests, and an Authorization that its script set. Cookies, Referer, Host, proxy and forwarding
 * headers are not sent.
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
 * Hop-by-hop headers, headers that are wrong for a decoded body, and headers that set state which a render
 * does not keep.
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

/** Returns the headers of a document's request that are sent, with names in lower case. */
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
 * Deletes the headers that must not follow a redirect: secrets if the origin changes, and the headers of a
 * body that is dropped.
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

/** Returns the response headers for the document, in order, with names in lower case. */
export function pickResponseHeaders(raw: RawHeaders): [name: string, value: string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]?.toString('latin1').toLowerCase() ?? '';
    if (!DROPPED_RESPONSE_HEADERS.has(name))
      headers.push([name, raw[index + 1]?.toString('latin1').trim() ?? '']);
  }
  return headers;
}
