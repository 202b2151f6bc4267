/** The request of getMetadata, and the functions and state that it needs. */
import type { FetchPage, PageIdentity, StartPhase } from './page/fetch-page.ts';
import type { MetadataCache } from './page/metadata-cache.ts';
import type { PageMetadata } from './page/page-metadata.ts';
import type { Singleflight } from './page/singleflight.ts';
import type { RenderMode, RenderPage } from './render/render-page.ts';

export interface GetMetadataRequest extends Partial<PageIdentity> {
  /** As the caller gave it. It is validated here. */
  url: string;
  followRedirects: boolean;
  /** The whole budget in milliseconds, from the first DNS lookup to the last byte needed. */
  timeoutMs: number;
  details: boolean;
  /** Default `false`. */
  render?: RenderMode;
  /** Check favicon and image. Needs `details`. */
  probe?: boolean;
  /** Fetch the oEmbed response of the page. Needs `details`. */
  oembed?: boolean;
  /** The oldest cached result that is accepted, in seconds; 0, the default, accepts none. */
  maxAgeSeconds?: number;
}

/** The metadata of a page, as getMetadata returns it. */
export interface MetadataResult extends PageMetadata {
  /** The seconds since the page was fetched, of a result from the cache. */
  ageSeconds?: number;
}

export interface GetMetadataDeps {
  fetchPage: FetchPage;
  /** Missing if the operator has turned rendering off. */
  renderPage?: RenderPage | undefined;
  /** The fetches in flight, for identical requests of one client to share. Without it, none are shared. */
  singleflight?: Singleflight;
  /**
   * The account that sent the request.
   * Clients share no fetch: it may be aborted when one exceeds its share.
   */
  client: string;
  /** Returns the time in milliseconds. */
  now: () => number;
  cache?: MetadataCache | undefined;
  /** Observes the phases of the page, not of its objects. */
  startPhase?: StartPhase | undefined;
}
