/** Examples of URL metadata. A test sends each request to the service and compares its response. */
import type { Static } from 'typebox';
import type { metadataResult } from '../metadata-result.ts';
import { formatLines } from './email.ts';

type Result = Static<typeof metadataResult>;

const ABOUT = 'The Open Graph protocol enables any web page to become a rich object in a social graph.';
const IMAGE = {
  url: 'https://ogp.me/logo.png',
  width: 300,
  height: 300,
  alt: 'The Open Graph logo',
};

const PAGE: Result = {
  url: 'https://ogp.me/',
  title: 'The Open Graph protocol',
  description: ABOUT,
  favicon: 'https://ogp.me/favicon.ico',
  og: {
    title: 'Open Graph protocol',
    description: ABOUT,
    image: IMAGE.url,
    url: 'https://ogp.me/',
    type: 'website',
    site_name: null,
  },
  twitter: { card: null, site: null, title: null, description: null, image: null },
  charset: 'utf-8',
  language: 'en',
};

const DETAILS: NonNullable<Result['details']> = {
  rendered: false,
  final_url: 'https://ogp.me/',
  status: 200,
  content_type: 'text/html',
  redirects: [],
  location: null,
  truncated: false,
  canonical: null,
  manifest: null,
  amphtml: null,
  theme_color: null,
  author: null,
  authors: [],
  publisher: null,
  logo: null,
  published_time: null,
  published_time_raw: null,
  modified_time: null,
  modified_time_raw: null,
  section: null,
  article_tags: [],
  keywords: [],
  locale: null,
  locale_alternates: [],
  alternates: [],
  icons: [{ url: 'https://ogp.me/favicon.ico', sizes: null, type: null }],
  image: IMAGE,
  images: [IMAGE],
  video: [],
  audio: [],
  feeds: [],
  oembed: [],
  app_links: [],
  tags: {
    'og:title': ['Open Graph protocol'],
    'og:type': ['website'],
    'og:url': ['https://ogp.me/'],
    'og:image': [IMAGE.url],
    'og:image:type': ['image/png'],
    'og:image:width': ['300'],
    'og:image:height': ['300'],
    'og:image:alt': [IMAGE.alt],
    'og:description': [ABOUT],
  },
  json_ld: [],
  robots: null,
  blocked: null,
  content_length: 908,
  file: null,
  probed: null,
  oembed_response: null,
};

/** Responses; each summary has the query of its request. */
export const METADATA_RESULTS = {
  page: { summary: '?url=https://ogp.me/', value: PAGE },
  details: {
    summary: '?url=https://ogp.me/&details=true',
    value: { ...PAGE, details: DETAILS },
  },
};

const URLS = ['https://ogp.me/', 'https://nowhere.invalid/'];
const FOUND = { index: 0, ...PAGE };
const UNREACHABLE = {
  index: 1,
  url: 'https://nowhere.invalid/',
  error: {
    status: 422,
    error: 'unreachable',
    message: 'The target URL could not be reached: its name does not resolve, or its host does not answer.',
  },
};

/** Requests of a batch, by the names of their responses. */
export const METADATA_BATCH_REQUESTS = {
  list: { summary: 'Two pages', value: { urls: URLS } },
  unordered: {
    summary: 'Lines in the order of completion, with Accept: application/x-ndjson',
    value: { urls: URLS, order: false },
  },
};

export const METADATA_BATCH_RESULTS = {
  list: { summary: 'A result and an error', value: { results: [FOUND, UNREACHABLE] } },
};

export const METADATA_BATCH_LINES = {
  list: { summary: 'A result and an error', value: formatLines([FOUND, UNREACHABLE]) },
  unordered: {
    summary: 'A result and an error in the order of completion',
    value: formatLines([UNREACHABLE, FOUND]),
  },
};
