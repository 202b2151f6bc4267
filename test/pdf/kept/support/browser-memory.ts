/** The processes of a browser and their memory, as the kernel counts it. */
import { readdirSync, readFileSync } from 'node:fs';

function readFile(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The process has ended.
    return '';
  }
}

/** Returns the process ids of a browser and of its children, theirs too. */
export function listProcesses(browserPid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(
    pids.map((pid) => [Number(pid), Number(readFile(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')[1])]),
  );
  const found = [browserPid];
  // Each pass over the growing list finds the children of one process.
  for (const parent of found) for (const [pid, of] of parents) if (of === parent) found.push(pid);
  return found;
}

/** Returns the memory of a browser and of its children, in MiB. A page that several share counts once. */
export function measureMemoryMb(browserPid: number): number {
  const kilobytes = listProcesses(browserPid).map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFile(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, size) => sum + size, 0) / 1024;
}
