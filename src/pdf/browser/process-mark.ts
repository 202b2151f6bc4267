import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same id: its start time is in clock ticks since boot (proc(5), stat, field 22). */
export interface ProcessMark {
  pid: number;
  startedAt: string;
}

/** The mark of a running process; null where there is none. */
export function markProcess(pid: number): ProcessMark | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name, in brackets, may hold blanks and brackets of its own.
    const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return startedAt === undefined ? null : { pid, startedAt };
  } catch {
    return null;
  }
}

/** Whether exactly this process still runs. */
export function isRunning(mark: ProcessMark): boolean {
  return markProcess(mark.pid)?.startedAt === mark.startedAt;
}

/** Resident memory of a process in bytes; 0 where it is gone. */
export function readResidentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4096;
  } catch {
    return 0;
  }
}

/** Sends SIGKILL to a process, or to a group where the id is negative; one that is gone is fine. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ESRCH: it has ended already. EPERM: it is no longer ours.
  }
}
