/** The result of getMetadata. What the page does not declare is null, or an empty list. */

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
  finalUrl: string;
  status: number;
  contentType: string | null;
  redirects: { url: string; status: number }[];
  canonical: string | null;
  themeColor: string | null;
  author: string | null;
  /** As the page writes it, usually ISO 8601. */
  publishedTime: string | null;
  modifiedTime: string | null;
  icons: { url: string; sizes: string | null; type: string | null }[];
  images: { url: string; width: number | null; height: number | null; alt: string | null }[];
  video: { url: string; type: string | null; width: number | null; height: number | null }[];
  audio: { url: string; type: string | null }[];
  feeds: { url: string; title: string | null; type: string }[];
  oembed: { url: string; type: string }[];
  /** The parsed blocks of application/ld+json, at most 50 and 100 KB in total. */
  jsonLd: unknown[];
  robots: string | null;
}
