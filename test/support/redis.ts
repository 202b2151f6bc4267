/**
 * Real Redis servers for tests: TEST_REDIS_URL, else redis-server or valkey-server of the machine, else the
 * packages of its distribution. If there is none, tests are skipped with the reason; in CI the file fails.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findServerBinary, type ServerBinary } from './redis-server-binary.ts';

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

const binary = ((): ServerBinary | string => {
  try {
    return findServerBinary();
  } catch (error) {
    const reason = `no Redis server: ${(error as Error).message}. Install redis-server or valkey-server.`;
    if (process.env['CI']) throw new Error(reason, { cause: error });
    return reason;
  }
})();

/** The reason why tests that start servers are skipped, or false. */
export const skipRedis = typeof binary === 'string' ? binary : false;

/** Starts a server of its own on a free port. `args` are options of the server. */
export async function startRedis(args: string[] = []): Promise<RedisServer> {
  if (typeof binary === 'string') throw new Error(binary);
  const folder = await mkdtemp(join(tmpdir(), 'utility-api-redis-'));
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  let child = await launch(binary, port, folder, args);
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
      child = await launch(binary, port, folder, args);
    },
    async [Symbol.asyncDispose]() {
      client.disconnect();
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a server that the file may share, and a prefix that no other test uses. */
export async function openRedis(): Promise<{ url: string; prefix: string } & AsyncDisposable> {
  const prefix = `test-${randomBytes(6).toString('hex')}:`;
  const url = process.env['TEST_REDIS_URL'];
  if (url !== undefined) return { url, prefix, [Symbol.asyncDispose]: async () => {} };
  const server = await startRedis();
  return { url: server.url, prefix, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function launch(
  { path, libraries }: ServerBinary,
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
      delay(10_000, undefined, { ref: false }).then(() =>
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

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
