import type { BigIntStats } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hash } from 'node:crypto';
import { runInSlices } from '#concurrency';
import { type DroppedEntries, iterateLines } from './parse-list.ts';

/**
 * Writes a temporary file and renames it, so that a crash leaves either the old file or the new one. Creates
 * the folder. Returns the new file's identity.
 */
export async function replaceFile(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    let identity: string;
    try {
      await file.writeFile(text);
      await file.sync();
      identity = await getIdentity(file);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    return identity;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Returns the identity of a file: it changes when the file is replaced or written. Null if there is no file.
 */
export async function findIdentity(path: string): Promise<string | null> {
  try {
    return formatIdentity(await stat(path, { bigint: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the identity of an open file. It stays the same when the file is renamed. */
export async function getIdentity(file: FileHandle): Promise<string> {
  return formatIdentity(await file.stat({ bigint: true }));
}

function formatIdentity({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

// The copies of fetched lists in `DATA_DIR/lists`: of each list the one in use, and one that waits for the
// operator. Their names derive from the address of the list.

/** Lines per slice: a few milliseconds. */
const SLICE = 20_000;

const COPY_NAME = /^[0-9a-f]{16}(?:\.offered)?\.txt$/;

/** `used`: the last accepted list; `offered`: a large change that the operator has not accepted. */
export type CopyKind = 'used' | 'offered';

/** The first line of a copy. */
export interface CopyHead {
  url: string;
  etag: string | null;
  fetchedAtMs: number;
  entries: number;
  dropped: DroppedEntries;
}

/** A copy on disk. */
interface ListCopy {
  head: CopyHead;
  names: ReadonlySet<string>;
  /** Changes when another process replaces the copy. */
  identity: string;
}

/** Saves a copy in place of the one before. Returns its identity. */
export function saveCopy(
  dataDir: string,
  kind: CopyKind,
  head: CopyHead,
  names: Iterable<string>,
): Promise<string> {
  const text = `# ${JSON.stringify(head)}\n${[...names].join('\n')}\n`;
  return replaceFile(getPath(dataDir, kind, head.url), text);
}

/**
 * Loads a copy; null if there is none, or if it is not what `saveCopy` writes: the first line has the URL and
 * the number of domains. They are not validated again, which would delay the start by seconds.
 */
export async function findCopy(dataDir: string, kind: CopyKind, url: string): Promise<ListCopy | null> {
  try {
    const file = await open(getPath(dataDir, kind, url));
    try {
      const identity = await getIdentity(file);
      const text = await file.readFile('utf8');
      const end = text.indexOf('\n');
      const head = JSON.parse(text.slice(2, end)) as CopyHead | null;
      const names = await parseNames(text, end + 1);
      return head?.url === url && head.entries === names.size ? { head, names, identity } : null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

async function parseNames(text: string, start: number): Promise<ReadonlySet<string>> {
  const lines = iterateLines(text, start);
  const names = new Set<string>();
  await runInSlices(() => {
    for (let count = 0; count < SLICE; count++) {
      const { done, value } = lines.next();
      if (done) return true;
      names.add(value);
    }
    return false;
  });
  return names;
}

/** Returns the identity of a copy; null if there is none. */
export function findCopyIdentity(dataDir: string, kind: CopyKind, url: string): Promise<string | null> {
  return findIdentity(getPath(dataDir, kind, url));
}

/** Deletes a copy, if there is one. */
export function deleteCopy(dataDir: string, kind: CopyKind, url: string): Promise<void> {
  return rm(getPath(dataDir, kind, url), { force: true });
}

/** Deletes the copies of lists that are no longer among the URLs. Resolves to the number of deleted files. */
export async function deleteOtherCopies(dataDir: string, urls: readonly string[]): Promise<number> {
  const kept = new Set(urls.flatMap((url) => [getName('used', url), getName('offered', url)]));
  const names = await readdir(join(dataDir, 'lists')).catch(() => []);
  const others = names.filter((name) => COPY_NAME.test(name) && !kept.has(name));
  await Promise.all(others.map((name) => rm(join(dataDir, 'lists', name), { force: true })));
  return others.length;
}

/**
 * Accepts the offered copy: one rename makes it the copy in use. The service notices it, also if this is
 * another process. Returns false if nothing is offered.
 */
export async function acceptCopy(dataDir: string, url: string): Promise<boolean> {
  try {
    await rename(getPath(dataDir, 'offered', url), getPath(dataDir, 'used', url));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function getPath(dataDir: string, kind: CopyKind, url: string): string {
  return join(dataDir, 'lists', getName(kind, url));
}

/** Returns the name of a copy, which `COPY_NAME` matches. */
function getName(kind: CopyKind, url: string): string {
  const name = hash('sha256', url).slice(0, 16);
  return kind === 'used' ? `${name}.txt` : `${name}.offered.txt`;
}

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
  /** Those of them that are only suspected; null for the operator's own lists. */
  suspected: number | null;
  /** When the list in use was fetched, or its file was changed; null for the bundled list or without one. */
  updatedAtMs: number | null;
  /** Entries of the list in use that were dropped; null unless it was fetched. */
  dropped: DroppedEntries | null;
  /** Null for the bundled list, and before the first refresh. */
  refresh: LastRefresh | null;
  /** A large change that waits for the operator. */
  offered: { entries: number; fetchedAtMs: number } | null;
}

// The status of the lists in `DATA_DIR/lists/status.json`, for other processes.

/** Saves what `loadListStatus` loads, also in another process. */
export async function saveListStatus(dataDir: string, lists: readonly ListStatus[]): Promise<void> {
  await replaceFile(getStatusPath(dataDir), `${JSON.stringify(lists, null, 2)}\n`);
}

/**
 * Loads the status of the lists as the service last saved it, without offers that were accepted since then.
 * Null if the service has not run with this folder.
 */
export async function loadListStatus(dataDir: string): Promise<ListStatus[] | null> {
  let lists: ListStatus[];
  try {
    lists = JSON.parse(await readFile(getStatusPath(dataDir), 'utf8')) as ListStatus[];
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

const getStatusPath = (dataDir: string): string => join(dataDir, 'lists', 'status.json');
