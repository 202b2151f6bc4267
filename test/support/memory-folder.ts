/** A folder for temporary files in memory: writes to a disk, and waits for it, are a tenth of a run. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';

const MOUNT = '/dev/shm';
const GIB = 2 ** 30;

/** Creates the folder, which is deleted when the process ends. Returns null if there is little memory. */
export function createMemoryFolder(): string | null {
  if (!isRoomy()) return null;
  const folder = mkdtempSync(`${MOUNT}/utility-api-tests-`);
  // As /tmp: some tests start programs as another user.
  chmodSync(folder, 0o1777);
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A process that ends later than its test writes into it.
    }
  });
  return folder;
}

function isRoomy(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.findLast((line) => line.startsWith(`tmpfs ${MOUNT} tmpfs `))?.split(' ')[3];
    // Some tests run programs that they install.
    if (options === undefined || options.split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(MOUNT);
    return bavail * bsize > 4 * GIB && process.availableMemory() > 8 * GIB;
  } catch {
    return false;
  }
}
