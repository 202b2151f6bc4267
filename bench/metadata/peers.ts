/** Calls the peers of bench/package.json as they document, and maps their results to our fields. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A peer's values by field; undefined if it has no such field. */
export type PeerAnswer = Partial<Record<PeerField, string | null | undefined>>;

export const PEER_FIELDS = [
  'title',
  'description',
  'favicon',
  'og.title',
  'og.description',
  'og.image',
  'og.url',
  'og.type',
  'og.site_name',
  'twitter.card',
  'twitter.site',
  'twitter.title',
  'twitter.description',
  'twitter.image',
  'charset',
  'language',
] as const;
export type PeerField = (typeof PEER_FIELDS)[number];

export interface Peer {
  name: string;
  describe: (url: string) => Promise<PeerAnswer>;
}

const FOLDER = new URL('../', import.meta.url);
const require = createRequire(new URL('package.json', FOLDER));

/* The parts of their interfaces that are used: not all of their own types are usable. */
type Json = Record<string, unknown>;
type Rules = (options: { html: string; url: string }) => Promise<Json>;
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const firstUrl = (value: unknown): string | null =>
  text((value as { url?: unknown }[] | undefined)?.[0]?.url);

export function loadPeers(): Peer[] {
  return [loadUnfurl(), loadLinkPreview(), loadUrlMetadata(), loadMetascraper(), loadOpenGraphScraper()];
}

function loadUnfurl(): Peer {
  const { unfurl } = require('unfurl.js') as { unfurl: (url: string, options: object) => Promise<Json> };
  return {
    name: 'unfurl.js',
    async describe(url) {
      const found = await unfurl(url, { oembed: false });
      const og = (found['open_graph'] ?? {}) as Json;
      const twitter = (found['twitter_card'] ?? {}) as Json;
      return {
        title: text(found['title']),
        description: text(found['description']),
        favicon: text(found['favicon']),
        'og.title': text(og['title']),
        'og.description': text(og['description']),
        'og.image': firstUrl(og['images']),
        'og.url': text(og['url']),
        'og.type': text(og['type']),
        'og.site_name': text(og['site_name']),
        'twitter.card': text(twitter['card']),
        'twitter.site': text(twitter['site']),
        'twitter.title': text(twitter['title']),
        'twitter.description': text(twitter['description']),
        'twitter.image': firstUrl(twitter['images']),
      };
    },
  };
}

function loadLinkPreview(): Peer {
  const { getLinkPreview } = require('link-preview-js') as {
    getLinkPreview: (url: string, options?: object) => Promise<Json>;
  };
  // It rejects loopback by a pattern, and logs a warning on every call: both are disabled.
  const file = new URL('node_modules/link-preview-js/build/constants.js', FOLDER);
  (require(fileURLToPath(file)) as { CONSTANTS: Json }).CONSTANTS['REGEX_VALID_URL'] = /^https?:/;
  return {
    name: 'link-preview-js',
    async describe(url) {
      console.error = () => {};
      const found = await getLinkPreview(url, { followRedirects: 'follow', timeout: 10_000 });
      return {
        title: text(found['title']),
        description: text(found['description']) ?? null,
        favicon: text((found['favicons'] as unknown[] | undefined)?.[0]),
        charset: text(found['charset']),
      };
    },
  };
}

function loadUrlMetadata(): Peer {
  const urlMetadata = require('url-metadata') as (url: string, options: object) => Promise<Json>;
  return {
    name: 'url-metadata',
    async describe(url) {
      const found = await urlMetadata(url, { requestFilteringAgentOptions: { allowPrivateIPAddress: true } });
      const icons = found['favicons'] as { href?: unknown }[] | undefined;
      return {
        title: text(found['title']),
        description: text(found['description']),
        favicon: text(icons?.[0]?.href),
        'og.title': text(found['og:title']),
        'og.description': text(found['og:description']),
        'og.image': text(found['og:image']),
        'og.url': text(found['og:url']),
        'og.type': text(found['og:type']),
        'og.site_name': text(found['og:site_name']),
        'twitter.card': text(found['twitter:card']),
        'twitter.site': text(found['twitter:site']),
        'twitter.title': text(found['twitter:title']),
        'twitter.description': text(found['twitter:description']),
        'twitter.image': text(found['twitter:image']),
        charset: text(found['charset']),
        language: text(found['lang']),
      };
    },
  };
}

function loadMetascraper(): Peer {
  const metascraper = require('metascraper') as (rules: unknown[]) => Rules;
  const rule = (name: string, options?: object) =>
    (require(`metascraper-${name}`) as (options?: object) => unknown)(options);
  const scrape = metascraper([
    rule('title'),
    rule('description'),
    rule('image'),
    rule('lang'),
    rule('url'),
    // Without its probes over the network: every candidate makes one request per page.
    rule('logo-favicon', {
      google: false,
      favicon: false,
      rootFavicon: false,
      resolveFaviconUrl: (url: string) => Promise.resolve({ url, headers: {} }),
    }),
  ]);
  return {
    name: 'metascraper',
    async describe(url) {
      const response = await fetch(url);
      const found = await scrape({ html: await response.text(), url: response.url });
      return {
        title: text(found['title']),
        description: text(found['description']),
        favicon: text(found['logo']),
        language: text(found['lang']),
      };
    },
  };
}

function loadOpenGraphScraper(): Peer {
  const ogs = require('open-graph-scraper') as (options: { url: string }) => Promise<{ result: Json }>;
  return {
    name: 'open-graph-scraper',
    async describe(url) {
      const { result } = await ogs({ url });
      return {
        title: text(result['ogTitle']),
        description: text(result['ogDescription']),
        favicon: text(result['favicon']),
        'og.title': text(result['ogTitle']),
        'og.description': text(result['ogDescription']),
        'og.image': firstUrl(result['ogImage']),
        'og.url': text(result['ogUrl']),
        'og.type': text(result['ogType']),
        'og.site_name': text(result['ogSiteName']),
        'twitter.card': text(result['twitterCard']),
        'twitter.site': text(result['twitterSite']),
        'twitter.title': text(result['twitterTitle']),
        'twitter.description': text(result['twitterDescription']),
        'twitter.image': firstUrl(result['twitterImage']),
        charset: text(result['charset']),
        language: text(result['ogLocale']),
      };
    },
  };
}
