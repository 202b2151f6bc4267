/** Replicas as processes of their own that share PostgreSQL and Redis. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createAccount, createKey } from '../../src/accounts/index.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { openStorage } from '../../src/storage/index.ts';

const ACCOUNTS = 30;
const KEYS_PER_ACCOUNT = 20;

export interface Replica extends AsyncDisposable {
  port: number;
  /** Returns the CPU time of the process so far, in microseconds. */
  measureCpuUs(): Promise<number>;
}

/** Starts a replica. `settings` are environment variables. */
export async function startReplica(settings: Record<string, string>): Promise<Replica> {
  const child: ChildProcess = fork(new URL('./service.ts', import.meta.url), [], {
    env: { ...process.env, ...settings, PORT: '0', LOG_LEVEL: 'warn', OPERATIONS: 'email' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    port,
    async measureCpuUs() {
      child.send('cpu');
      const [{ cpuUs }] = (await once(child, 'message')) as [{ cpuUs: number }];
      return cpuUs;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Creates keys in the database of `settings`. Returns their secrets. */
export async function createKeys(settings: Record<string, string>): Promise<string[]> {
  const config = loadConfig(settings);
  const postgres = {
    url: config.databaseUrl ?? '',
    poolSize: 4,
    statementTimeoutMs: 5_000,
    now: Date.now,
  };
  const { accounts, keys, close } = await openStorage({ dataDir: '', postgres, watchIntervalMs: 0 });
  const secrets: string[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const account = await createAccount(
      accounts,
      config.plans,
      { email: `bench${n}@example.com` },
      Date.now(),
    );
    for (let key = 0; key < KEYS_PER_ACCOUNT; key += 1)
      secrets.push((await createKey(keys, { accountId: account.id, name: `key ${key}` }, Date.now())).secret);
  }
  await close();
  return secrets;
}
