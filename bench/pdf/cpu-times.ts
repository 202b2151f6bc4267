import { listDescendants, readProcessFile } from './list-descendants.ts';

/** The kinds of processes of the browser, and the process that measures. */
export const PROCESS_KINDS = ['renderers', 'browser', 'gpu', 'network', 'node'] as const;

type ProcessKind = (typeof PROCESS_KINDS)[number];

/** CPU milliseconds by kind of process. */
export type CpuTimes = Record<ProcessKind, number>;

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
export function getCpuTimes(): CpuTimes {
  const { user, system } = process.cpuUsage();
  const times = { renderers: 0, browser: 0, gpu: 0, network: 0, node: (user + system) / 1000 };
  for (const pid of listDescendants()) {
    const type = /--type=([a-z-]+)/.exec(readProcessFile(pid, 'cmdline') ?? '')?.[1] ?? '';
    times[KINDS[type] ?? 'browser'] += parseTicks(readProcessFile(pid, 'stat') ?? '') * TICK_MS;
  }
  return times;
}

/** Parses the clock ticks of a process and its ended children. */
function parseTicks(stat: string): number {
  // The name of the command, in parentheses, may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}
