/** A file system of a few megabytes that can be filled and freed. Mounting one takes root on Linux. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk extends Disposable {
  folder: string;
  /** Uses up all the space that is left. */
  fill(): void;
  /** Frees what `fill` used. */
  free(): void;
}

/** Mounts a file system in memory; null if this user may not mount. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'small-disk', folder], {
      stdio: 'ignore',
    });
  } catch {
    rmdirSync(folder);
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      try {
        // The last pages go one by one; a file system of `megabytes` holds no more of them.
        for (let pages = 0; pages <= megabytes * 256; pages += 1) writeSync(file, Buffer.alloc(4096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder]);
      rmdirSync(folder);
    },
  };
}
