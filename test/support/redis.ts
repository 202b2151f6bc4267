/**
 * Real Redis servers for tests: the redis-server or valkey-server that REDIS_PATH names, else that of the
 * machine, else of Debian's packages. Tests stop and kill them, so they do not use one that runs already. If
 * there is none, tests are skipped with the reason; in CI the file fails.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Program } from './debian-packages.ts';
import { findServer } from './find-server.ts';
import { findFreePorts } from './free-ports.ts';
import { patientMs } from './patience.ts';

/** A server that a test may stop, continue and kill. */
export interface RedisServer extends AsyncDisposable {
  url: string;
  /** A client for the test itself. */
  client: Redis;
  /** Stops the process: connections stay open and nothing is answered. */
  freeze(): void;
  thaw(): void;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>;
}

const program = findServer({
  title: 'Redis server',
  variable: 'REDIS_PATH',
  choices: ['redis', 'valkey'].map((name) => ({
    name: `${name}-server`,
    packages: [`${name}-server`, `${name}-tools`],
  })),
});

/** The reason why tests that start servers are skipped, or false. */
export const skipRedis = typeof program === 'string' ? program : false;

/** Starts a server of its own on a free port. `args` are options of the server. */
export async function startRedis(args: string[] = []): Promise<RedisServer> {
  if (typeof program === 'string') throw new Error(program);
  const folder = await mkdtemp(join(tmpdir(), 'utility-api-redis-'));
  const [port = 0] = await findFreePorts(1);
  const url = `redis://127.0.0.1:${port}`;
  let child = await launch(program, port, folder, args);
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => {});
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url,
    client,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill,
    async restart() {
      child = await launch(program, port, folder, args);
    },
    async [Symbol.asyncDispose]() {
      client.disconnect();
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(
  { path, libraries }: Program,
  port: number,
  folder: string,
  args: string[],
): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = spawn(path, [...options, ...args], {
    stdio: 'ignore',
    env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') },
  });
  const probe = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 20, maxRetriesPerRequest: null });
  probe.on('error', () => {});
  try {
    await Promise.race([
      probe.ping(),
      once(child, 'exit').then(() => Promise.reject(new Error(`${path} ended`))),
      delay(patientMs(10_000), undefined, { ref: false }).then(() =>
        Promise.reject(new Error(`${path} does not reply`)),
      ),
    ]);
  } catch (error) {
    // With a password or TLS the ping is refused, and the server is up.
    if (!/NOAUTH/.test(String(error))) throw error;
  } finally {
    probe.disconnect();
  }
  return child;
}
