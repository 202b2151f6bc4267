import { readdirSync, readFileSync } from 'node:fs';

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
  const processes = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => parseProcess(Number(name))),
  );
  for (const { parent, kind, ms } of processes.values())
    for (let pid = parent; pid > 1; pid = processes.get(pid)?.parent ?? 0)
      if (pid === process.pid) times[kind] += ms;
  return times;
}

interface ProcessTimes {
  parent: number;
  kind: ProcessKind;
  /** With its ended children. */
  ms: number;
}

/** Returns a process and its id; nothing if it has ended. */
function parseProcess(pid: number): [number, ProcessTimes][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the command, in parentheses, may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const type = /--type=([a-z-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))?.[1];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const kind = KINDS[type ?? ''] ?? 'browser';
    return [[pid, { parent: Number(fields[1]), kind, ms: ticks * TICK_MS }]];
  } catch {
    return [];
  }
}
