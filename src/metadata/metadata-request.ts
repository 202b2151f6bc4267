/** The request of getMetadata, and the functions and state that it needs. */
import { hash } from 'node:crypto';
import type { FetchPage, PageIdentity, StartPhase } from './page/fetch-page.ts';
import type { MetadataCache } from './page/metadata-cache.ts';
import type { PageMetadata } from './page/page-metadata.ts';
import type { Singleflight } from './page/singleflight.ts';
import type { RenderMode, RenderPage } from './render/page-render.ts';

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

/** The URL is in the key as it was parsed. The result does not depend on the others. */
const LEFT_OUT: ReadonlySet<string> = new Set(['url', 'timeoutMs', 'maxAgeSeconds']);

/**
 * Returns the key of a request's result, in the cache and among the fetches in flight: a hash of the client,
 * the URL and every option that the result depends on. Each client has results of its own, so that none
 * learns what another one fetched.
 */
export function computeRequestKey(client: string, url: URL, request: GetMetadataRequest): string {
  const parts: unknown[] = [client, url.href];
  // An option that is not left out is part of the key: a new one cannot be forgotten.
  for (const name of Object.keys(request).sort() as (keyof GetMetadataRequest)[])
    if (!LEFT_OUT.has(name) && request[name] !== undefined) parts.push(name, request[name]);
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
