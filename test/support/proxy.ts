/** A proxy with a configuration of deploy/, started for tests with TLS on a free loopback port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Program } from './debian-packages.ts';
import { patientMs } from './patience.ts';

const START_MS = patientMs(15_000);

export interface ProxyProcess extends AsyncDisposable {
  /** Its folder, which is removed afterwards. */
  folder: string;
}

export interface ProxyStart {
  program: Program | string;
  /** The port on which it accepts connections when it has started. */
  port: number;
  /** Writes its configuration into the folder, and returns its arguments and environment. */
  configure(folder: string): Promise<{ args: string[]; env?: Record<string, string> }>;
}

/** Starts a proxy and waits until it accepts connections. Rejects with its output if it ends before. */
export async function startProxy({ program, port, configure }: ProxyStart): Promise<ProxyProcess> {
  if (typeof program === 'string') throw new Error(program);
  const folder = await mkdtemp(join(tmpdir(), 'utility-api-proxy-'));
  const { args, env } = await configure(folder);
  const child = spawn(program.path, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      LD_LIBRARY_PATH: program.libraries.join(':'),
      ...env,
    },
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitUntilListening(child, port, async () => {
    const log = await readFile(join(folder, 'error.log'), 'utf8').catch(() => '');
    return `${program.path} does not start:\n${output}${log}`;
  });
  return {
    folder,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilListening(
  child: ChildProcess,
  port: number,
  describeFailure: () => Promise<string>,
): Promise<void> {
  for (const startedAt = performance.now(); !(await isListening(port)); await delay(20))
    if (child.exitCode !== null || performance.now() - startedAt > START_MS)
      throw new Error(await describeFailure());
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
