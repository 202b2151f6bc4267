/**
 * Runs an image with runc as Docker would with `--read-only --cap-drop ALL --security-opt no-new-privileges`.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toOciSeccomp, type SeccompProfile } from './oci-seccomp.ts';
import { capture } from './run-command.ts';

/** The part of an image's configuration that matters here (OCI image specification). */
export interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd?: string[];
  WorkingDir: string;
  ExposedPorts: Record<string, object>;
  Volumes: Record<string, object>;
  Labels: Record<string, string>;
  StopSignal: string;
  Healthcheck: { Test: string[] };
}

export interface Container {
  /** Runs a command in it and returns its output. */
  exec(...command: string[]): { status: number | null; output: string };
  /** The process id of its PID 1 on this machine. */
  getPid(): number;
  getLog(): string;
  hasEnded(): boolean;
  /** Sends the stop signal and returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills it if it still runs. */
  remove(): Promise<void>;
}

/** Paths that Docker hides or makes read-only. */
const MASKED = [
  '/proc/acpi',
  '/proc/asound',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
];
const READ_ONLY = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

/** Starts a container. `folder` gets its bundle, its log and its data. */
export function startContainer(options: {
  name: string;
  image: ImageConfig;
  rootfs: string;
  folder: string;
  seccomp: SeccompProfile;
  env: Readonly<Record<string, string>>;
}): Container {
  const { name, image, folder } = options;
  mkdirSync(join(folder, 'data'), { recursive: true });
  chownSync(join(folder, 'data'), Number(image.User.split(':')[0]), Number(image.User.split(':')[1]));
  writeFileSync(join(folder, 'config.json'), JSON.stringify(formatSpec(options)));
  const child = spawn('runc', ['run', '--bundle', folder, name], { stdio: ['ignore', 'pipe', 'pipe'] });
  const getLog = collect(child, join(folder, 'log'));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  return {
    getLog,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    exec(...command) {
      const result = spawnSync('runc', ['exec', name, ...command], { encoding: 'utf8', timeout: 60_000 });
      return { status: result.status, output: `${result.stdout}${result.stderr}`.trim() };
    },
    getPid: () => (JSON.parse(capture('runc', ['state', name])) as { pid: number }).pid,
    async stop() {
      capture('runc', ['kill', name, image.StopSignal.replace('SIG', '')]);
      return (await exited)[0];
    },
    async remove() {
      spawnSync('runc', ['kill', name, 'KILL']);
      await exited;
      spawnSync('runc', ['delete', '--force', name]);
    },
  };
}

function collect(child: ChildProcess, path: string): () => string {
  const file = createWriteStream(path);
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      file.write(text);
    });
  return () => log;
}

/** Formats the OCI configuration: no capability, no new privileges, a network with nothing but loopback. */
function formatSpec({ image, rootfs, folder, seccomp, env }: Parameters<typeof startContainer>[0]): object {
  const [uid, gid] = image.User.split(':').map(Number);
  const tmpfs = (destination: string, ...options: string[]): object => ({
    destination,
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', ...options],
  });
  return {
    ociVersion: '1.0.2',
    hostname: 'utility-api',
    root: { path: rootfs, readonly: true },
    process: {
      user: { uid, gid },
      args: [...image.Entrypoint, ...(image.Cmd ?? [])],
      env: [...image.Env, ...Object.entries(env).map(([key, value]) => `${key}=${value}`)],
      cwd: image.WorkingDir,
      noNewPrivileges: true,
      capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
      tmpfs('/dev', 'mode=755', 'size=64k'),
      {
        destination: '/dev/pts',
        type: 'devpts',
        source: 'devpts',
        options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620'],
      },
      tmpfs('/dev/shm', 'nodev', 'noexec', 'mode=1777', 'size=64m'),
      { destination: '/sys', type: 'sysfs', source: 'sysfs', options: ['nosuid', 'noexec', 'nodev', 'ro'] },
      tmpfs('/tmp', 'nodev', 'mode=1777', 'size=512m'),
      {
        destination: '/data',
        type: 'bind',
        source: join(folder, 'data'),
        options: ['bind', 'rw', 'nosuid', 'nodev'],
      },
    ],
    linux: {
      namespaces: ['pid', 'network', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      maskedPaths: MASKED,
      readonlyPaths: READ_ONLY,
      seccomp: toOciSeccomp(seccomp, process.arch as 'x64' | 'arm64'),
    },
  };
}

/** Reads a seccomp profile. */
export function loadSeccomp(path: string): SeccompProfile {
  return JSON.parse(readFileSync(path, 'utf8')) as SeccompProfile;
}
