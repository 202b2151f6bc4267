/** The dependencies of getMetadata, its result, and the key of a request's result. */
import { hash } from 'node:crypto';
import { getProperty, type OptionRow } from '#options';
import { METADATA_OPTIONS, type GetMetadataRequest } from './metadata-options.ts';
import type { FetchPage, StartPhase } from './page/fetch-page.ts';
import type { MetadataCache } from './page/metadata-cache.ts';
import type { PageMetadata } from './page/page-metadata.ts';
import type { Singleflight } from './page/singleflight.ts';
import type { RenderPage } from './render/page-render.ts';

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

/** The options that the result depends on, by their names in a request. */
const KEY_OPTIONS = Object.entries<OptionRow>(METADATA_OPTIONS)
  .filter(([, row]) => row.isInKey !== false)
  .map(([name, row]) => getProperty(name, row) as keyof GetMetadataRequest);

/**
 * Returns the key of a request's result, in the cache and among the fetches in flight: a hash of the client,
 * the URL as it was parsed and every option that the result depends on. Clients share no results, so that
 * none learns what another one fetched.
 */
export function computeRequestKey(client: string, url: URL, request: GetMetadataRequest): string {
  const parts: unknown[] = [client, url.href];
  for (const name of KEY_OPTIONS) if (request[name] !== undefined) parts.push(name, request[name]);
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
