/** CPU time and memory of this process and its descendants, by proc(5). */
import { readdirSync, readFileSync } from 'node:fs';

/** The kinds of processes: those of the browser, and the process that measures. */
export const PROCESS_KINDS = ['service', 'browser', 'renderers', 'gpu', 'network'] as const;

type ProcessKind = (typeof PROCESS_KINDS)[number];

/** Milliseconds of CPU time, or MiB of memory, by kind of process. */
export type ProcessUsage = Record<ProcessKind, number>;

/** Milliseconds of a clock tick of proc(5), which is 1/100 s on Linux. */
const TICK_MS = 10;

const KINDS: Record<string, ProcessKind> = {
  renderer: 'renderers',
  // A renderer that has ended counts in the process that started it.
  zygote: 'renderers',
  'gpu-process': 'gpu',
  utility: 'network',
};

/** Returns the CPU time that this process and its descendants, also ended ones, have used so far. */
export function measureCpuMs(): ProcessUsage {
  return sumByKind((pid) => countTicks(readProcessFile(pid, 'stat') ?? '') * TICK_MS);
}

/** Returns the resident memory that this process and its descendants share with no file (RssAnon), in MiB. */
export function measureMemoryMb(): ProcessUsage {
  return sumByKind((pid) => {
    const [, kb] = /^RssAnon:\s+(\d+)/m.exec(readProcessFile(pid, 'status') ?? '') ?? [];
    return Number(kb ?? 0) / 1024;
  });
}

/** Sums the usage of all kinds. */
export const sumUsage = (usage: ProcessUsage): number =>
  PROCESS_KINDS.reduce((sum, kind) => sum + usage[kind], 0);

function sumByKind(measure: (pid: number) => number): ProcessUsage {
  const usage = { service: measure(process.pid), browser: 0, renderers: 0, gpu: 0, network: 0 };
  for (const pid of listDescendants()) {
    const type = /--type=([a-z-]+)/.exec(readProcessFile(pid, 'cmdline') ?? '')?.[1] ?? '';
    usage[KINDS[type] ?? 'browser'] += measure(pid);
  }
  return usage;
}

/** Counts the clock ticks of a process and its ended children. */
function countTicks(stat: string): number {
  // The name of the command, in parentheses, may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

/** Lists the ids of the descendants of this process. */
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
