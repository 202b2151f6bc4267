/** The browsers of the service, found by proc(5): repeated listing of all processes takes half a core. */
import { readdirSync, readFileSync } from 'node:fs';
import { killQuietly } from './service.ts';

/** Kills the browsers of a service, also those that are still starting. Returns how many. */
export function killBrowsersOf(servicePid: number): number {
  const browsers = listBrowsersOf(servicePid);
  for (const pid of browsers) killQuietly(pid);
  return browsers.length;
}

/**
 * Lists the processes of browsers themselves: neither those of their renderers, nor the programs that started
 * them.
 */
function listBrowsersOf(servicePid: number): number[] {
  return listChildren(servicePid).flatMap((pid) => {
    const command = readQuietly(`/proc/${pid}/cmdline`);
    if (command.includes('--type=')) return [];
    const below = listBrowsersOf(pid);
    return below.length === 0 && command.includes('--remote-debugging-pipe') ? [pid] : below;
  });
}

/** Lists the children of all threads of a process. */
function listChildren(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readQuietly(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Returns nothing if the process has ended. */
function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
