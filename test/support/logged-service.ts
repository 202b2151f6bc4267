/** The service as a process whose output is kept. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAccount, createKey } from '#accounts';
import { openStorage } from '#storage';

const root = fileURLToPath(new URL('../../', import.meta.url));

export type LogLine = Record<string, unknown> & { level: number; msg: string };

export interface LoggedService extends AsyncDisposable {
  port: number;
  key: string;
  keyId: string;
  pid: number;
  /** Everything that the process has written. */
  getText: () => string;
  /** The lines of the log. */
  getLines: () => LogLine[];
  /** Ends the process by SIGTERM and resolves with its exit code. */
  stop: () => Promise<number | null>;
}

/** Starts the service with an account, a key and these settings, without a browser and DNS. */
export async function startLoggedService(settings: Record<string, string> = {}): Promise<LoggedService> {
  const folder = mkdtempSync(join(tmpdir(), 'logged-'));
  const dataDir = join(folder, 'data');
  const { key, keyId } = await createFirstKey(dataDir);
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      DNS_SERVERS: '127.0.0.1:9',
      PLANS: 'pro=1000000',
      CHROMIUM_PATH: '/nowhere/chromium',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  while (!/listening on .*\n/.test(text)) {
    assert.equal(child.exitCode, null, text);
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
  const stop = async (): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    child.kill('SIGTERM');
    await once(child, 'close');
    return child.exitCode;
  };
  return {
    port: Number(/listening on http:\/\/[^"]*:(\d+)"/.exec(text)?.[1]),
    key,
    keyId,
    pid: child.pid ?? 0,
    getText: () => text,
    getLines: () =>
      text
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LogLine),
    stop,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, maxRetries: 5 });
    },
  };
}

async function createFirstKey(dataDir: string): Promise<{ key: string; keyId: string }> {
  const storage = await openStorage({ dataDir });
  const now = Date.now();
  const plans = new Map([['pro', { limitPerMinute: 1_000_000, slots: null }]]);
  const account = { email: 'ann@example.com', plan: 'pro', admin: true };
  const { id } = await createAccount(storage.accounts, plans, account, now);
  const created = await createKey(storage.keys, { accountId: id, name: 'test' }, now);
  await storage.close();
  return { key: created.secret, keyId: created.key.id };
}
