import { MetadataCall } from './metadata-call.ts';
import type { GetMetadataDeps, GetMetadataRequest } from './metadata-request.ts';
import type { MetadataCache } from './page/metadata-cache.ts';
import type { PageMetadata } from './page/page-metadata.ts';
import { parsePageUrl } from './page/parse-page-url.ts';
import { Singleflight } from './page/singleflight.ts';

/**
 * Fetches the page at `request.url`, follows a meta refresh that acts as a redirect, and returns the page's
 * metadata. Identical requests of one client in flight share one fetch, each with its own deadline. Rejects
 * with ApiError `invalid_url` (param url), `timeout` (the page's head did not arrive within the budget) or
 * another that `fetchPage` rejects with, or with the signal's reason.
 */
export async function getMetadata(
  request: GetMetadataRequest,
  deps: GetMetadataDeps,
  signal?: AbortSignal,
): Promise<PageMetadata> {
  const url = parsePageUrl(request.url);
  signal?.throwIfAborted();
  const key = `${request.followRedirects ? 'follow' : 'stay'} ${request.details ? 'details' : 'fields'} ${url.href}`;
  const cached = deps.cache === undefined ? null : await findCached(deps.cache, key);
  if (cached !== null) return { ...cached, url: request.url };
  const metadata = await (deps.singleflight ?? new Singleflight()).run(
    `${deps.client}\n${key}`,
    { timeoutMs: request.timeoutMs, now: deps.now, signal },
    (timeoutMs, callSignal) => new MetadataCall(url, { ...request, timeoutMs }, deps, callSignal, key),
  );
  return { ...metadata, url: request.url };
}

/** Returns the cached metadata, or null. A cache that fails is treated as empty. */
async function findCached(cache: MetadataCache, key: string): Promise<PageMetadata | null> {
  try {
    return await cache.find(key);
  } catch {
    return null;
  }
}
