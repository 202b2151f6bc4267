/** Replicas of the service as processes of their own, on fixed ports and with one database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePorts } from './free-ports.ts';
import { patientMs } from './patience.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const START_MS = patientMs(20_000);

export interface Replica {
  url: string;
  port: number;
  /** Returns what it has logged since its first start. */
  log(): string;
  /** Starts it, and resolves when /readyz is 200. */
  start(): Promise<void>;
  /** Sends SIGTERM, and resolves with the exit code when the process has ended. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

export interface Cluster extends AsyncDisposable {
  replicas: Replica[];
  ports: number[];
  /**
   * Waits for the links that create the first administrator, one of each replica. Returns their tokens, of
   * which the last one that was created is valid.
   */
  waitForSetupTokens(): Promise<string[]>;
}

/**
 * Starts replicas at the same time. They share the embedded database unless `settings` name another. They
 * serve email only, which needs no browser, unless `settings` say more.
 */
export async function openCluster(count: number, settings: Record<string, string> = {}): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'utility-api-cluster-'));
  const ports = await findFreePorts(count);
  const environment = {
    ...process.env,
    DATA_DIR: folder,
    OPERATIONS: 'email',
    DNS_SERVERS: '127.0.0.1:9',
    TRUST_PROXY: '127.0.0.1',
    PLANS: 'pro=100000000',
    ...settings,
  };
  const replicas = ports.map((port) => createReplica(port, environment));
  await Promise.all(replicas.map((replica) => replica.start()));
  return {
    replicas,
    ports,
    async waitForSetupTokens() {
      for (const startedAt = performance.now(); ; await delay(20)) {
        const logs = replicas.map((replica) => replica.log()).join('\n');
        const tokens = [...logs.matchAll(/\/setup\?token=([\w-]+)\s/g)].map(([, token = '']) => token);
        if (tokens.length >= count) return tokens;
        if (performance.now() - startedAt > START_MS) throw new Error(`no set-up link:\n${logs}`);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(replicas.map((replica) => replica.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function createReplica(port: number, environment: NodeJS.ProcessEnv): Replica {
  const url = `http://127.0.0.1:${port}`;
  let log = '';
  let child: ChildProcess | null = null;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ending = child;
    if (ending === null) return null;
    child = null;
    if (ending.exitCode === null && ending.signalCode === null) {
      ending.kill(signal);
      await once(ending, 'exit');
    }
    return ending.exitCode;
  };
  return {
    url,
    port,
    log: () => log,
    async start() {
      const started = spawn(process.execPath, ['src/main.ts'], {
        cwd: root,
        env: { ...environment, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (log += text));
      const lengthBefore = log.length;
      while (!log.includes('listening on', lengthBefore) && started.exitCode === null)
        await Promise.race([once(started.stdout, 'data'), once(started, 'exit')]);
      await waitUntilReady(url, started, () => log);
    },
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

async function waitUntilReady(url: string, child: ChildProcess, getLog: () => string): Promise<void> {
  for (const startedAt = performance.now(); ; await delay(20)) {
    const status = await fetch(`${url}/readyz`).then(
      async (response) => (await response.text(), response.status),
      () => 0,
    );
    if (status === 200) return;
    if (child.exitCode !== null || performance.now() - startedAt > START_MS)
      throw new Error(`the replica at ${url} does not start:\n${getLog()}`);
  }
}
