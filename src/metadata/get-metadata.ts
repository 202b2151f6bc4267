import { ApiError } from '#errors';
import { workInTurn } from '#concurrency';
import { type GetMetadataDeps, type MetadataResult, computeRequestKey } from './metadata-request.ts';
import type { GetMetadataRequest } from './metadata-options.ts';
import { MetadataCall } from './metadata-call.ts';
import type { CacheEntry, MetadataCache } from './page/metadata-cache.ts';
import type { PageMetadata } from './page/page-metadata.ts';
import { parsePageUrl } from './page/parse-page-url.ts';
import { Singleflight } from './page/singleflight.ts';
import type { RenderMode } from './render/page-render.ts';

/** Longer entries are parsed in a turn of their own: details may have megabytes. */
const SMALL_ENTRY_CHARACTERS = 32_768;

/**
 * Fetches the page at `request.url`, follows a meta refresh that acts as a redirect, and returns the page's
 * metadata. Identical requests of one client in flight share one fetch, each with its own deadline. A result
 * in the cache is returned only if the request accepts its age. Rejects with ApiError `invalid_url` (param
 * url), `timeout` (the page's head did not arrive within the budget) or another that `fetchPage` rejects
 * with, or with the signal's reason.
 */
export async function getMetadata(
  request: GetMetadataRequest,
  deps: GetMetadataDeps,
  signal?: AbortSignal,
): Promise<MetadataResult> {
  const url = parsePageUrl(request.url);
  const { render = 'false' } = request;
  if (render !== 'false') {
    checkRendering(render, deps.renderPage !== undefined);
    // Scripts read the fragment; it is not sent.
    url.hash = new URL(request.url).hash;
  }
  signal?.throwIfAborted();
  const key = computeRequestKey(deps.client, url, request);
  const cached = await findCached(key, request, deps);
  if (cached !== null) return { ...cached, url: request.url };
  const metadata = await (deps.singleflight ?? new Singleflight()).run(
    key,
    { timeoutMs: request.timeoutMs, now: deps.now, signal },
    (timeoutMs, callSignal) => new MetadataCall(url, { ...request, timeoutMs }, deps, callSignal, key),
  );
  return { ...metadata, url: request.url };
}

/**
 * Returns the cached result if the request accepts its age, else null. A cache that fails is treated as
 * empty.
 */
async function findCached(
  key: string,
  { maxAgeSeconds = 0 }: GetMetadataRequest,
  { cache, now, client }: GetMetadataDeps,
): Promise<MetadataResult | null> {
  if (cache === undefined || maxAgeSeconds === 0) return null;
  const entry = await findEntry(cache, key);
  if (entry === null) return null;
  // The clock of the process that stored it may be ahead.
  const ageMs = Math.max(0, now() - entry.storedAtMs);
  if (ageMs > maxAgeSeconds * 1000) return null;
  const parse = () => JSON.parse(entry.json) as PageMetadata;
  const metadata = entry.json.length > SMALL_ENTRY_CHARACTERS ? await workInTurn(parse, client) : parse();
  return { ...metadata, ageSeconds: Math.floor(ageMs / 1000) };
}

async function findEntry(cache: MetadataCache, key: string): Promise<CacheEntry | null> {
  try {
    return await cache.find(key);
  } catch {
    return null;
  }
}

/**
 * Throws ApiError `invalid_parameter` (param render) if a request asks for rendering, and the operator has
 * turned it off.
 */
export function checkRendering(render: RenderMode, canRender: boolean): void {
  if (render === 'false' || canRender) return;
  throw new ApiError(
    'invalid_parameter',
    'The operator of this service has turned rendering off: send render=false, or leave render out.',
    { param: 'render' },
  );
}
