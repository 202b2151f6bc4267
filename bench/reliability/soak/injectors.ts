/** The faults around the service while it works. Each repeats until the signal aborts. */
import { killBrowsersOf } from '../../../test/attacks/support/browsers.ts';
import { waitFor } from '../../../test/attacks/support/lanes.ts';
import type { SmallDisk } from '../../../test/support/small-disk.ts';
import type { LimitedService } from './limited-service.ts';

const DAY_MS = 86_400_000;
const SHIFTS_MS = [30 * DAY_MS, 0, -30 * DAY_MS, 0];
const KILL_EVERY_MS = 7000;
const JUMP_EVERY_MS = 5000;
const DISK_FULL_MS = 10_000;
const DISK_FREE_MS = 10_000;

/** The number of faults of each kind so far. */
export type Faults = Record<'browsers killed' | 'disks filled' | 'clock jumps', number>;

/** Runs all of them. `disk` holds the log; null if it cannot be filled. */
export async function injectFaults(
  service: LimitedService,
  disk: SmallDisk | null,
  { faults, signal }: { faults: Faults; signal: AbortSignal },
): Promise<void> {
  const killBrowsers = async (): Promise<void> => {
    while (!signal.aborted) {
      await waitFor(KILL_EVERY_MS, signal);
      if (!signal.aborted) faults['browsers killed'] += killBrowsersOf(service.pid);
    }
  };
  const moveClock = async (): Promise<void> => {
    for (let n = 0; !signal.aborted; n += 1) {
      await waitFor(JUMP_EVERY_MS, signal);
      if (signal.aborted) break;
      service.moveClock(SHIFTS_MS[n % SHIFTS_MS.length] ?? 0);
      faults['clock jumps'] += 1;
    }
    service.moveClock(0);
  };
  const fillDisk = async (): Promise<void> => {
    if (disk === null) return;
    while (!signal.aborted) {
      await waitFor(DISK_FREE_MS, signal);
      if (signal.aborted) break;
      disk.fill();
      faults['disks filled'] += 1;
      await waitFor(DISK_FULL_MS, signal);
      service.truncateLog();
      disk.free();
    }
  };
  await Promise.all([killBrowsers(), moveClock(), fillDisk()]);
}
