import { readdirSync, readFileSync } from 'node:fs';

/** Lists the ids of the descendants of this process (proc(5)). */
export function listDescendants(): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    const parent = Number(readProcessFile(Number(name), 'status')?.match(/^PPid:\s+(\d+)/m)?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const list = (pid: number): number[] =>
    (children.get(pid) ?? []).flatMap((child) => [child, ...list(child)]);
  return list(process.pid);
}

/** Reads a file about a process; null if the process has ended. */
export function readProcessFile(pid: number, name: 'cmdline' | 'stat' | 'status'): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return null;
  }
}
