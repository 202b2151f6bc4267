/**
 * Describes web pages: title, description, icons, Open Graph, Twitter Card, charset and language, found in
 * one pass over a page's bytes, without a DOM. Opens no socket: pages arrive through an injected FetchPage,
 * and so does what a page names: icons, images and oEmbed responses, if a request wants them. Pages that
 * scripts draw are rendered by an injected RenderPage.
 */
export type {
  FetchedPage,
  FetchPage,
  FetchPageRequest,
  PageEnd,
  PageHead,
  PageHop,
  PageIdentity,
  PageReach,
  PageReader,
  PageVisit,
  StartPhase,
  UserAgentKind,
} from './page/fetch-page.ts';
export { checkRendering, getMetadata } from './get-metadata.ts';
export { type GetMetadataRequest, METADATA_OPTIONS } from './metadata-options.ts';
export type { GetMetadataDeps, MetadataResult } from './metadata-request.ts';
export type { FileDetails } from './files/describe-file.ts';
export type { OembedResponse } from './oembed/oembed-response.ts';
export { openMetadataCache } from './page/metadata-cache.ts';
export type { CacheEntry, MetadataCache, MetadataCacheOptions } from './page/metadata-cache.ts';
export type { OpenGraph, PageDetails, PageMetadata, TwitterCard } from './page/page-metadata.ts';
export { MAX_URL_CHARACTERS, parsePageUrl } from './page/parse-page-url.ts';
export { Singleflight } from './page/singleflight.ts';
export type { RenderMode, RenderOutcome, RenderPage, RenderPageRequest } from './render/page-render.ts';
