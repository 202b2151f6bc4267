import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile, readdir, rm, stat } from 'node:fs/promises';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Identifies a process. A later process with the same id has another start time, which is in clock ticks
 * since boot (proc(5), stat, field 22).
 */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** Finds a running process; null if there is none with this id. */
export function findProcess(pid: number): ProcessIdentity | null {
  const startedAt = readStat(pid)[19];
  return startedAt === undefined ? null : { pid, startedAt };
}

/** Checks whether this very process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return findProcess(identity.pid)?.startedAt === identity.startedAt;
}

/** Returns the resident memory of a process in bytes; 0 if it has ended. */
export function getResidentBytes(pid: number): number {
  try {
    // Not /proc/<pid>/statm, which counts memory pages: their size differs between machines.
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The unit of times in /proc (proc(5), USER_HZ): 100 per second on all machines that Chromium runs on. */
const TICK_MS = 10;

/** Returns the CPU time that a process has used, in milliseconds; 0 if it has ended. */
export function getCpuMs(pid: number): number {
  const [user = 0, system = 0] = readStat(pid).slice(11, 13).map(Number);
  return (user + system) * TICK_MS;
}

/**
 * Lowers the priority of all threads of a process to this nice value; those with a lower priority keep it.
 * Linux has priorities of threads (sched(7)), and new threads inherit them. Does nothing without the right.
 */
export function lowerPriority(pid: number, nice: number): void {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`).map(Number))
      if (getPriority(thread) < nice) setPriority(thread, nice);
  } catch {
    // ENOENT, ESRCH: it has ended, or one of its threads has: the next call finds the others. EPERM: the
    // service is root without CAP_SYS_NICE.
  }
}

/**
 * Makes the kernel end this process, and not the service, when memory is short: the highest score is first
 * (proc(5), oom_score_adj). Does nothing without the right, or if the process has ended.
 */
export function setOomScore(pid: number, score: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(score));
  } catch {
    // EACCES, ENOENT: see above.
  }
}

/** Reads the fields of /proc/<pid>/stat from the third on; none if there is no such process. */
function readStat(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the command, in parentheses, may contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Sends SIGKILL to a process, or to a process group if the id is negative. Does nothing if it has ended. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ESRCH: it has ended already. EPERM: the id belongs to another user's process by now.
  }
}

/** The folder of one browser: its home, profile and temporary files, and a record of the service. */
export interface RunFolder {
  home: string;
  remove(): Promise<void>;
}

interface Owner {
  service: ProcessIdentity | null;
}

const PREFIX = 'utility-api-browser-';

/** Creates the folder. If the browser has a user of its own, that user owns only the home in it. */
export function openRunFolder(uid: number | null): RunFolder {
  const path = mkdtempSync(join(tmpdir(), PREFIX));
  const home = join(path, 'home');
  const owner: Owner = { service: findProcess(process.pid) };
  try {
    writeFileSync(join(path, 'owner.json'), JSON.stringify(owner), { mode: 0o600 });
    mkdirSync(home, { mode: 0o700 });
    if (uid !== null) {
      chownSync(home, uid, uid);
      chmodSync(path, 0o711);
    }
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
  return { home, remove: () => removeFolder(path) };
}

/**
 * Removes the folders of services that were killed, whose browsers ended when their pipes closed. Returns how
 * many there were.
 */
export async function sweepRunFolders(): Promise<number> {
  const names = await readdir(tmpdir()).catch(() => []);
  const paths = names.filter((name) => name.startsWith(PREFIX)).map((name) => join(tmpdir(), name));
  const isSwept = await Promise.all(
    paths.map(async (path) => {
      const owner = await loadOwner(path);
      if (!owner || (owner.service && isRunning(owner.service))) return false;
      await removeFolder(path);
      return true;
    }),
  );
  return isSwept.filter(Boolean).length;
}

/** Loads the record of a folder; null if it has none, or if another user created the folder. */
async function loadOwner(path: string): Promise<Owner | null> {
  try {
    if ((await stat(path)).uid !== process.getuid?.()) return null;
    return JSON.parse(await readFile(join(path, 'owner.json'), 'utf8')) as Owner;
  } catch {
    return null;
  }
}

/** Removes a folder. What cannot be removed now is removed at a later start. */
async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }).catch(() => {});
}
