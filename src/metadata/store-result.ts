import { workInTurn } from '#concurrency';
import { findWall } from './blocked/find-wall.ts';
import type { GetMetadataDeps } from './metadata-request.ts';
import type { FetchedPage } from './page/fetch-page.ts';
import { mayBeStored } from './page/metadata-cache.ts';
import type { PageMetadata } from './page/page-metadata.ts';
import type { ScannedPage } from './page/scanned-page.ts';

/** The pages that a result was made from. */
export interface ResultPages {
  fetched: FetchedPage;
  /** The fetched page, as it was read. */
  page: ScannedPage | null;
  /** The document that was described: the page, or what it became in the browser. */
  document: ScannedPage | null;
}

/** Stores a result, unless a wall was fetched, or drawn by a script: it may let the next request pass. */
export async function storeResult(
  { cache, now }: Pick<GetMetadataDeps, 'cache' | 'now'>,
  key: string,
  { fetched: { head, end }, page, document }: ResultPages,
  metadata: PageMetadata,
): Promise<void> {
  if (cache === undefined || end === 'timeout' || end === 'cut' || !mayBeStored(head)) return;
  if (page === null || findWall(page) !== null) return;
  if (document === null || (document !== page && findWall(document) !== null)) return;
  const serialize = () => JSON.stringify(metadata);
  const json = metadata.details === undefined ? serialize() : await workInTurn(serialize);
  try {
    await cache.store(key, { json, storedAtMs: now() });
  } catch {
    // The response does not depend on the cache.
  }
}
