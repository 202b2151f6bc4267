/** A group of processes (cgroups(7)) with one memory limit, as a container has. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MemoryGroup extends Disposable {
  /** The file to which a process writes its id to become a member, with its later children. */
  members: string;
  /** Megabytes at most so far, and the processes that were killed because the limit was reached. */
  read(): { peakMb: number; kills: number };
}

interface Version {
  mount: string;
  limit: string;
  peak: string;
  events: string;
}

const VERSIONS: readonly Version[] = [
  {
    mount: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
    events: 'memory.oom_control',
  },
  { mount: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak', events: 'memory.events' },
];
const MB = 1024 * 1024;

/** Opens a group with this limit. Returns null if this user, or this machine, has none. */
export function openMemoryGroup(megabytes: number): MemoryGroup | null {
  for (const version of VERSIONS) {
    const folder = join(version.mount, `utility-api-soak-${process.pid}`);
    if (!existsSync(version.mount)) continue;
    try {
      mkdirSync(folder);
    } catch {
      continue;
    }
    try {
      // Opened as it exists: a folder of another file system has no such file.
      writeFileSync(join(folder, version.limit), String(megabytes * MB), { flag: 'r+' });
    } catch {
      rmdirSync(folder);
      continue;
    }
    return useGroup(folder, version);
  }
  return null;
}

function useGroup(folder: string, { peak, events }: Version): MemoryGroup {
  const load = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return {
    members: join(folder, 'cgroup.procs'),
    read: () => ({
      peakMb: Number(load(peak)) / MB,
      kills: Number(/^oom_kill (\d+)/m.exec(load(events))?.[1] ?? 0),
    }),
    [Symbol.dispose]() {
      try {
        rmdirSync(folder);
      } catch {
        // Its last process has not ended yet: the folder is empty and remains.
      }
    },
  };
}
