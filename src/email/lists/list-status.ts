import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findCopyIdentity, replaceFile } from './list-copies.ts';
import type { DroppedEntries } from './parse-list.ts';

/** A list as text, or `not_modified` if the copy with the sent ETag is still current. */
export type FetchResult = { status: 'fresh'; text: string; etag: string | null } | { status: 'not_modified' };

/** Fetches a list. Rejects if the complete list cannot be fetched within `maxBytes`. */
export type FetchList = (
  url: string,
  options: { etag: string | null; maxBytes: number },
  signal?: AbortSignal,
) => Promise<FetchResult>;

/** Logs an event of a list for its operator. */
export type LogLists = (level: 'info' | 'warn', message: string, facts: Record<string, unknown>) => void;

export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The result of a refresh. `offered`: the list changed so much that the operator must accept it; `refused`:
 * it is no list of domains; `failed`: it could not be fetched. After the last three the list before stays
 * in use.
 */
export type RefreshOutcome = 'replaced' | 'unchanged' | 'accepted' | 'offered' | 'refused' | 'failed';

/** The last refresh of a list. */
export interface LastRefresh {
  atMs: number;
  outcome: RefreshOutcome;
  /** Why the list was refused or the refresh failed; null otherwise. */
  reason: string | null;
}

/** The state of a list, for operators. */
export interface ListStatus {
  /** `allowed`, `blocked`: the operator's own lists. */
  kind: 'bundled' | 'fetched' | 'allowed' | 'blocked';
  /** The URL or the path of the list; '' for the bundled one. */
  source: string;
  /** Domains in use. */
  entries: number;
  /** When the list in use was fetched, or its file was changed; null for the bundled list or without one. */
  updatedAtMs: number | null;
  /** Entries of the list in use that were dropped; null unless it was fetched. */
  dropped: DroppedEntries | null;
  /** Null for the bundled list, and before the first refresh. */
  refresh: LastRefresh | null;
  /** A large change that waits for the operator. */
  offered: { entries: number; fetchedAtMs: number } | null;
}

/** Saves what `loadListStatus` loads, also in another process. */
export async function saveListStatus(dataDir: string, lists: readonly ListStatus[]): Promise<void> {
  await replaceFile(getPath(dataDir), `${JSON.stringify(lists, null, 2)}\n`);
}

/**
 * Loads the status of the lists as the service last saved it, without offers that were accepted since then.
 * Null if the service has not run with this folder.
 */
export async function loadListStatus(dataDir: string): Promise<ListStatus[] | null> {
  let lists: ListStatus[];
  try {
    lists = JSON.parse(await readFile(getPath(dataDir), 'utf8')) as ListStatus[];
  } catch {
    return null;
  }
  if (!Array.isArray(lists)) return null;
  return Promise.all(
    lists.map(async (list) => {
      const isOffered =
        list.offered !== null && (await findCopyIdentity(dataDir, 'offered', list.source)) !== null;
      return isOffered ? list : { ...list, offered: null };
    }),
  );
}

function getPath(dataDir: string): string {
  return join(dataDir, 'lists', 'status.json');
}
