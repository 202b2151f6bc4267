/** CPU time and memory of the service and of its browser, by proc(5). */
import { listDescendants, readProcessFile } from '../pdf/process-usage.ts';

const TICK_MS = 10;
const SAMPLE_MS = 50;

/** Returns the CPU time so far of the process `pid`, and of all processes that it has started. */
export function measureCpu(pid: number): { serviceMs: number; browserMs: number } {
  const own = parseFields(pid);
  const others = listDescendants().filter((one) => one !== pid);
  // The children that have ended count in their parent.
  const browser = own.slice(2).concat(...others.map(parseFields));
  const sum = (ticks: number[]): number => ticks.reduce((total, one) => total + one, 0) * TICK_MS;
  return { serviceMs: sum(own.slice(0, 2)), browserMs: sum(browser) };
}

/** Returns the ticks of a process: user, system, and those of its ended children. */
function parseFields(pid: number): number[] {
  const stat = readProcessFile(pid, 'stat') ?? '';
  // The name of the command, in parentheses, may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map(Number);
}

/** Runs `act`; returns the highest memory meanwhile: resident of the service, private of the browser. */
export async function measureMemory(
  pid: number,
  act: () => Promise<unknown>,
): Promise<{ serviceMb: number; browserMb: number }> {
  const highest = { serviceMb: 0, browserMb: 0 };
  const sample = (): void => {
    const others = listDescendants().filter((one) => one !== pid);
    const browserMb = others.reduce((sum, one) => sum + parseMb(one, 'RssAnon'), 0);
    highest.serviceMb = Math.max(highest.serviceMb, Math.round(parseMb(pid, 'VmRSS')));
    highest.browserMb = Math.max(highest.browserMb, Math.round(browserMb));
  };
  const timer = setInterval(sample, SAMPLE_MS);
  await act();
  clearInterval(timer);
  sample();
  return highest;
}

function parseMb(pid: number, field: 'RssAnon' | 'VmRSS'): number {
  const line = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readProcessFile(pid, 'status') ?? '');
  return Number(line?.[1] ?? 0) / 1024;
}
