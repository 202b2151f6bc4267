/**
 * What does this page say of itself? Title, description, icons, Open Graph, Twitter Card, charset and language, read in one pass over its bytes.
 * Never opens a socket (pages arrive through an injected FetchPage), never builds a DOM, never fetches what a page points at.
 */
export type {
  FetchedPage,
  FetchPage,
  FetchPageRequest,
  PageEnd,
  PageHead,
  PageReader,
  PageVisit,
} from './page/fetch-page.ts';
export { getMetadata } from './get-metadata.ts';
export type { GetMetadataDeps, GetMetadataRequest } from './get-metadata.ts';
export { openMetadataCache } from './page/metadata-cache.ts';
export type { MetadataCache, MetadataCacheOptions } from './page/metadata-cache.ts';
export type { OpenGraph, PageDetails, PageMetadata, TwitterCard } from './page/page-metadata.ts';
export { parsePageUrl } from './page/parse-page-url.ts';
export { SharedFlights } from './page/singleflight.ts';
