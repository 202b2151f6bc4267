/** The result of getMetadata. What the page does not declare is null, or an empty list. */
import type { FileDetails } from '../files/describe-file.ts';
import type { OembedResponse } from '../oembed/oembed-response.ts';
import type { ProbedImage } from '../objects/fetch-object.ts';

export interface OpenGraph {
  title: string | null;
  description: string | null;
  image: string | null;
  url: string | null;
  type: string | null;
  siteName: string | null;
}

export interface TwitterCard {
  card: string | null;
  site: string | null;
  title: string | null;
  description: string | null;
  image: string | null;
}

export interface PageMetadata {
  /** The caller's URL as given. */
  url: string;
  title: string | null;
  description: string | null;
  /** Absolute; `/favicon.ico` of the final origin if the page declares none. */
  favicon: string | null;
  og: OpenGraph;
  twitter: TwitterCard;
  /** The WHATWG name, lower case, of the encoding that decoded the page. */
  charset: string | null;
  /** A canonical BCP 47 tag. */
  language: string | null;
  /** Present if the request asks for details. */
  details?: PageDetails;
}

export interface PageDetails {
  /** The metadata is of the page as its scripts have drawn it. */
  rendered: boolean;
  finalUrl: string;
  status: number;
  contentType: string | null;
  redirects: { url: string; status: number }[];
  /** The absolute URL of a redirect or a refresh that was not followed. */
  location: string | null;
  /** The page was not read to its end: at the deadline, the size cap, or after a disconnect. */
  truncated: boolean;
  canonical: string | null;
  themeColor: string | null;
  manifest: string | null;
  amphtml: string | null;
  /** The names of `authors`, joined; never a URL. */
  author: string | null;
  authors: { name: string; url: string | null }[];
  publisher: string | null;
  /** The absolute URL of the publisher's logo. */
  logo: string | null;
  /** ISO 8601, as precise as the page is; null if the page's text is not a date, or has several meanings. */
  publishedTime: string | null;
  /** As the page writes it. */
  publishedTimeRaw: string | null;
  modifiedTime: string | null;
  modifiedTimeRaw: string | null;
  section: string | null;
  articleTags: string[];
  keywords: string[];
  /** A canonical BCP 47 tag, as those in `localeAlternates`. */
  locale: string | null;
  localeAlternates: string[];
  /** The page in other languages: a canonical BCP 47 tag or `x-default`, and the URL. */
  alternates: { language: string; url: string }[];
  icons: { url: string; sizes: string | null; type: string | null }[];
  /** The first of `images`; of those that were checked, the first that exists. */
  image: PageImage | null;
  images: PageImage[];
  video: { url: string; type: string | null; width: number | null; height: number | null }[];
  audio: { url: string; type: string | null }[];
  feeds: { url: string; title: string | null; type: string }[];
  oembed: { url: string; type: string }[];
  appLinks: AppLink[];
  /** The contents of the social tags, by key in lower case, as the page writes them. */
  tags: Record<string, string[]>;
  /** The parsed blocks of application/ld+json, at most 50 and 100 KB in total. */
  jsonLd: unknown[];
  robots: string | null;
  /** The name of the wall that the site sent in place of the page (see `blocked/walls.ts`), or null. */
  blocked: string | null;
  /** The Content-Length header; null if it is absent or no number. */
  contentLength: number | null;
  /** Null if the response is HTML, or is declared as HTML. */
  file: FileDetails | null;
  /** Null unless the request asks for it. */
  probed: ProbedImages | null;
  /** Null unless the request asks for it, and if there is none. */
  oembedResponse: OembedResponse | null;
}

export interface PageImage {
  url: string;
  width: number | null;
  height: number | null;
  alt: string | null;
}

/** An app that can open the page. */
export interface AppLink {
  platform: 'ios' | 'iphone' | 'ipad' | 'android' | 'windows' | 'web';
  name: string | null;
  /** The id in the platform's store: a number, or the name of a package. */
  id: string | null;
  /** The URL that opens the page in the app, of any scheme except the schemes of scripts and files. */
  url: string | null;
}

export interface ProbedImages {
  favicon: ProbedImage;
  /** Null if the page declares no image. */
  image: ProbedImage | null;
}
