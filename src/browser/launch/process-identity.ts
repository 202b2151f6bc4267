import { readFileSync } from 'node:fs';

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
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the command, in parentheses, may contain spaces and parentheses.
    const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return startedAt === undefined ? null : { pid, startedAt };
  } catch {
    return null;
  }
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

/** Sends SIGKILL to a process, or to a process group if the id is negative. Does nothing if it has ended. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ESRCH: it has ended already. EPERM: the id belongs to another user's process by now.
  }
}
