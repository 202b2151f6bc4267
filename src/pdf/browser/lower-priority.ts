import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * On a busy CPU, nice 5 gets a third of what nice 0 gets; on an idle one it makes no difference. Lower, other
 * load on the host starves renders.
 */
const STEP = 5;
const MAX_NICE = 19;

/**
 * Lets a process, and all that it starts from now on, have the CPU after this one. It should be called as
 * soon as the process exists: a process that was started before keeps its own priority. What the system
 * refuses is left as it is.
 */
export function lowerPriority(pid: number): void {
  attempt(() => {
    const nice = Math.min(MAX_NICE, getPriority() + STEP);
    // The kernel has a priority per thread.
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), nice);
  });
  // Where the kernel shares the CPU among sessions (autogroup, sched(7)), it ignores the priorities of
  // processes across them: the session, which the browser has to itself, has one too.
  attempt(() => {
    const own = Number(/nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'latin1'))?.[1] ?? 0);
    writeFileSync(`/proc/${pid}/autogroup`, String(Math.min(MAX_NICE, own + STEP)));
  });
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // ENOENT: the process has ended, or the kernel has no autogroups. EACCES, EPERM, EAGAIN: not allowed, or
    // not now.
  }
}
