/** The real service in a process of its own, as `npm start` runs it, with a meter inside. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { MeterReading, MeterRequest } from './service-meter.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const METER = new URL('./service-meter.ts', import.meta.url).href;
const STOP_MS = 3000;

export interface Service extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** True if the process that was started still runs. */
  isAlive(): boolean;
  /** The output on stdout and stderr. */
  log(): string;
  resetMeter(): Promise<void>;
  /** Returns the measurements since the last reset. Rejects if the process ended. */
  readMeter(): Promise<MeterReading>;
}

/** Starts the service with these settings and waits until it listens. */
export async function startService(settings: Record<string, string>): Promise<Service> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'info',
    NODE_COMPILE_CACHE: `${ROOT}node_modules/.cache/compile`,
    // As npm start: with one heap of malloc per thread, freed memory is not returned.
    MALLOC_ARENA_MAX: '2',
    ...settings,
  };
  delete env.NODE_TEST_CONTEXT;
  const child = spawn(process.execPath, ['--import', METER, 'src/main.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-200_000)));
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  while (!/listening on /.test(log)) {
    if (!isAlive()) throw new Error(`the service did not start:\n${log}`);
    await onceBeforeExit(child, child.stdout as EventEmitter, 'data').catch(() => {});
  }
  const port = Number(/listening on http:\/\/[^"\s]+:(\d+)/.exec(log)?.[1]);
  const measure = (request: MeterRequest) => requestReading(child, request);
  return {
    pid: child.pid ?? 0,
    port,
    isAlive,
    log: () => log,
    resetMeter: async () => void (await measure({ meter: 'reset' })),
    readMeter: () => measure({ meter: 'read' }),
    [Symbol.asyncDispose]: () => stopService(child, isAlive),
  };
}

async function requestReading(child: ChildProcess, request: MeterRequest): Promise<MeterReading> {
  if (!child.connected) throw new Error('the service ended');
  child.send(request);
  const [reading] = await onceBeforeExit(child, child, 'message');
  return reading as MeterReading;
}

/** Waits for an event. Rejects if the process ends first. Removes its listeners in both cases. */
async function onceBeforeExit(child: ChildProcess, emitter: EventEmitter, name: string): Promise<unknown[]> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(child, 'exit', { signal }).then((): never => {
    throw new Error('the service ended');
  });
  try {
    return await Promise.race([once(emitter, name, { signal }), ended]);
  } finally {
    settled.abort();
  }
}

/** Stops the service; kills it and its browser if the drain waits for renders that an attack left behind. */
async function stopService(child: ChildProcess, isAlive: () => boolean): Promise<void> {
  if (!isAlive()) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([exited, setTimeout(STOP_MS, undefined, { ref: false })]);
  if (!isAlive()) return;
  for (const { pid } of listDescendants(child.pid ?? 0)) killQuietly(pid);
  child.kill('SIGKILL');
  await exited;
}

export function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}

/** Returns the descendants of a process, with their command lines. */
export function listDescendants(pid: number): { pid: number; command: string }[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, own, parent, command = '']) => ({ pid: Number(own), parent: Number(parent), command }));
  const below = (parent: number): { pid: number; command: string }[] =>
    rows.flatMap((row) => (row.parent === parent ? [row, ...below(row.pid)] : []));
  return below(pid);
}
