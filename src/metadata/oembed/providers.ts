/** Finds the oEmbed endpoint of a URL in the list of oembed.com. */
import providers from 'oembed-providers' with { type: 'json' };

/** The members of the list that count here. */
interface Provider {
  endpoints: readonly { url: string; schemes?: readonly string[] }[];
}

interface Scheme {
  /** The labels of the host, the top-level domain first; `*` stands for any. */
  labels: string[];
  /** The fixed parts of path and query between the `*` of the scheme. */
  parts: string[];
}

interface Endpoint {
  url: string;
  schemes: Scheme[];
}

/** Endpoints by the last two labels of the hosts of their schemes; built at the first use. */
let index: Map<string, Endpoint[]> | null = null;

/** No provider has longer URLs, and each would be compared with all schemes of its host. */
const MAX_URL_LENGTH = 2_000;

/**
 * Returns the URL that an oEmbed response for `pageUrl` is fetched from, if a provider of the list has it;
 * else null. A `*` in a scheme stands for any text, also none.
 */
export function findListedEndpoint(pageUrl: string): string | null {
  const page = URL.parse(pageUrl);
  if (page === null || pageUrl.length > MAX_URL_LENGTH || page.port !== '') return null;
  const labels = page.hostname.split('.').toReversed();
  const path = page.pathname + page.search;
  index ??= buildIndex();
  for (const { url, schemes } of index.get(getKey(labels)) ?? []) {
    for (const scheme of schemes)
      if (matchesHost(scheme.labels, labels) && matchesPath(scheme.parts, path))
        return formatEndpoint(url, pageUrl);
  }
  return null;
}

function formatEndpoint(url: string, pageUrl: string): string {
  const endpoint = new URL(url.replaceAll('{format}', 'json'));
  // The list has endpoints of http:// whose hosts redirect to https://.
  endpoint.protocol = 'https:';
  endpoint.searchParams.set('url', pageUrl);
  endpoint.searchParams.set('format', 'json');
  return endpoint.href;
}

function buildIndex(): Map<string, Endpoint[]> {
  const built = new Map<string, Endpoint[]>();
  for (const { endpoints } of providers as readonly Provider[]) {
    for (const { url, schemes = [] } of endpoints) {
      if (!URL.canParse(url)) continue;
      const parsed = schemes.map(parseScheme).filter((scheme) => scheme !== null);
      for (const key of new Set(parsed.map(({ labels }) => getKey(labels))))
        built.set(key, [...(built.get(key) ?? []), { url, schemes: parsed }]);
    }
  }
  return built;
}

function getKey(labels: readonly string[]): string {
  return `${labels[0]}.${labels[1]}`;
}

/** Parses a scheme like `https://*.example.com/v/*`; null if it is not for http(s), or for any domain. */
function parseScheme(scheme: string): Scheme | null {
  const match = /^https?:\/\/([^/?#:]+)(\/[^#]*)?$/.exec(scheme);
  if (match === null) return null;
  const [, host = '', path = '/'] = match;
  const labels = host.toLowerCase().split('.').toReversed();
  // A scheme for any domain of a top-level domain would trust every page below it.
  if (labels.length < 2 || labels[0] === '*' || labels[1] === '*') return null;
  return { labels, parts: path.split(/\*+/) };
}

/** A `*` as the first label of the scheme stands for any number of labels; elsewhere for one. */
function matchesHost(pattern: readonly string[], labels: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*';
  const fixed = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? labels.length < fixed.length : labels.length !== fixed.length) return false;
  return fixed.every((label, n) => label === '*' || label === labels[n]);
}

/** Each fixed part is searched once, after the one before it, so the time is linear. */
function matchesPath(parts: readonly string[], path: string): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return path.length - at >= last.length && path.endsWith(last);
}
