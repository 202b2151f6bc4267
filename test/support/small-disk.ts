/** A file system of a few megabytes that tests can fill and free. Mounting it requires root on Linux. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk extends Disposable {
  folder: string;
  /** Fills the remaining space. */
  fill(): void;
  /** Frees the space that `fill` used. */
  free(): void;
}

/** Mounts a tmpfs; returns null if the user may not mount. */
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
        // Writes page by page, so that none stays free. The loop ends at the size of the file system.
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
