/** The service as a process with limited memory, a small disk for its log, and a clock that can be moved. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { killQuietly, listDescendants } from '../../../test/attacks/support/service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CLOCK = new URL('./shifted-clock.ts', import.meta.url).href;
const START_MS = 60_000;
/** A drain takes 10 s at most. */
const STOP_MS = 30_000;
const KEPT_LOG = 20_000;
const HAS_STARTED = /listening on http:\/\/[^"\s]+:(\d+)/;

export interface LimitedService {
  pid: number;
  port: number;
  /** Null while it runs, else how it ended. */
  getEnd(): string | null;
  readRssMb(): number;
  moveClock(shiftMs: number): void;
  /** The end of the log. */
  getLog(): string;
  /** Empties the log, whose end is kept. */
  truncateLog(): void;
  /** Ends it by SIGTERM. Returns how it ended, and kills what does not end. */
  stop(): Promise<string>;
}

export interface LimitedServiceOptions {
  /** The folder of its state. */
  folder: string;
  logFolder: string;
  /** See MemoryGroup. */
  members: string | null;
  settings: Record<string, string>;
}

/** Starts the service and waits until it listens. */
export async function startLimitedService(options: LimitedServiceOptions): Promise<LimitedService> {
  const clockFile = join(options.folder, 'clock');
  const logFile = join(options.logFolder, 'log');
  writeFileSync(clockFile, '0');
  const log = openSync(logFile, 'a');
  const child = spawnService(options, { clockFile, log });
  closeSync(log);
  let kept = '';
  const getLog = (): string => (kept + readFileSync(logFile, 'utf8')).slice(-KEPT_LOG);
  const getEnd = (): string | null => {
    if (child.signalCode !== null) return `killed by ${child.signalCode}`;
    return child.exitCode === null ? null : `exit code ${child.exitCode}`;
  };
  const until = performance.now() + START_MS;
  while (!HAS_STARTED.test(getLog())) {
    if (getEnd() !== null || performance.now() > until)
      throw new Error(`the service did not start (${getEnd() ?? 'too slow'}):\n${getLog()}`);
    await setTimeout(50);
  }
  return {
    pid: child.pid ?? 0,
    port: Number(HAS_STARTED.exec(getLog())?.[1]),
    getEnd,
    getLog,
    readRssMb: () => readRssMb(child.pid ?? 0),
    moveClock: (shiftMs) => writeFileSync(clockFile, String(shiftMs)),
    truncateLog() {
      kept = getLog();
      truncateSync(logFile);
    },
    async stop() {
      if (getEnd() === null) await stopChild(child);
      return getEnd() ?? 'did not end';
    },
  };
}

function spawnService(
  { folder, members, settings }: LimitedServiceOptions,
  { clockFile, log }: { clockFile: string; log: number },
): ChildProcess {
  const command = [process.execPath, '--import', CLOCK, 'src/main.ts'];
  // The shell joins the group, and becomes the service.
  const joining = members === null ? [] : ['sh', '-c', `echo $$ > ${members} && exec "$@"`, 'sh'];
  const [program = '', ...args] = [...joining, ...command];
  return spawn(program, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      DATA_DIR: join(folder, 'data'),
      MALLOC_ARENA_MAX: '2',
      SOAK_CLOCK: clockFile,
      ...settings,
    },
    stdio: ['ignore', log, log],
  });
}

function readRssMb(pid: number): number {
  try {
    const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kb ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const ended = exited.then(() => true);
  if (await Promise.race([ended, setTimeout(STOP_MS, false, { ref: false })])) return;
  for (const { pid } of listDescendants(child.pid ?? 0)) killQuietly(pid);
  child.kill('SIGKILL');
  await exited;
}
