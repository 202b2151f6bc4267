import { access, constants, type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates an empty file that only the owner of its folder can read. An existing file is not opened: closing
 * it would release the locks that this process holds on it. Throws if this user may not write to the file.
 */
export async function ensurePrivateFile(path: string): Promise<void> {
  try {
    const handle = await open(path, 'wx', 0o600);
    try {
      await matchOwner(handle, dirname(path));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await access(path, constants.R_OK | constants.W_OK);
  }
}

/**
 * Gives the open file the owner of the file or folder `model`: what a command of root creates must not keep
 * the user of the service from opening it.
 */
export async function matchOwner(handle: FileHandle, model: string): Promise<void> {
  const { uid, gid } = await stat(model);
  // Other users than root may not; what they create is theirs.
  if ((await handle.stat()).uid !== uid) await handle.chown(uid, gid).catch(() => {});
}
