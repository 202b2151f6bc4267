/** Steps that write a file such that it is complete, private and durable before it has its name. */
import { createHash } from 'node:crypto';
import { constants, link, open, rename, rm } from 'node:fs/promises';
import { ApiError } from '#errors';
import { matchOwner } from '../sqlite/file-lock.ts';

/** Copies a file into a new private one, and returns its SHA-256. `owner` is a file or folder. */
export async function copyPrivately(from: string, to: string, owner: string): Promise<string> {
  // Without O_NONBLOCK the open of a named pipe would wait for its writer.
  const source = await open(from, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await source.stat()).isFile()) throw new Error('it is not a regular file');
    const target = await open(to, 'wx', 0o600);
    try {
      await matchOwner(target, owner);
      const sha256 = createHash('sha256');
      for await (const chunk of source.createReadStream({ autoClose: false })) {
        sha256.update(chunk as Buffer);
        await target.writeFile(chunk as Buffer);
      }
      await target.sync();
      return sha256.digest('hex');
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Makes a file durable, and returns its size and SHA-256. */
export async function syncAndDigest(path: string): Promise<{ bytes: number; sha256: string }> {
  const handle = await open(path, 'r+');
  try {
    await handle.chmod(0o600);
    await handle.sync();
    const sha256 = createHash('sha256');
    let bytes = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      sha256.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
    return { bytes, sha256: sha256.digest('hex') };
  } finally {
    await handle.close();
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Errors of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** Gives a file a name that did not exist. Throws EEXIST if it does. */
export async function renameToNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
    await rm(from);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // The place is reserved first, so that no other file is replaced.
    await (await open(to, 'wx', 0o600)).close();
    await rename(from, to);
  }
}

/** Gives a file a second name. Copies it if the file system has no hard links. */
export async function keepAs(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyPrivately(from, to, from);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not do that there',
  EPERM: 'this user may not do that there',
  EDQUOT: 'the quota of its disk is used up',
  EFBIG: 'the file would be larger than this process may write',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'it does not exist',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EROFS: 'its disk is read-only',
};
/** Result codes of SQLite: https://www.sqlite.org/rescode.html */
const SQLITE_REASONS: Readonly<Record<number, string>> = { 8: 'it is read-only', 13: 'its disk is full' };

/** Says in a few words why a file could not be read or written. */
export function describeFileError(error: unknown): string {
  const { code, errcode, message } = error as NodeJS.ErrnoException & { errcode?: number };
  return REASONS[code ?? ''] ?? SQLITE_REASONS[(errcode ?? 0) % 256] ?? message;
}

/** Creates the error of a command that is refused. */
export function refusal(message: string): ApiError {
  return new ApiError('invalid_parameter', message);
}
