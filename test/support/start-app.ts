/** A whole service for a test: the real parts, on a free loopback port, over a folder and a DNS server of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount, createKey } from '#accounts';
import { type App, createApp } from '#app';
import { readConfig } from '#config';

export interface TestApp extends AsyncDisposable {
  app: App;
  port: number;
  url: string;
  dataDir: string;
  /** Stores an account of this plan and a key of it; answers the secret. */
  createKey(plan?: string): Promise<string>;
  /** GET or POST under the service's URL with this key. */
  call(path: string, key?: string | null, init?: RequestInit): Promise<Response>;
}

let accounts = 0;

/** Starts a service with these settings (by their environment names) over what suits a test. */
export async function startApp(
  settings: Record<string, string> = {},
  overrides: Parameters<typeof createApp>[1] = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'utility-api-test-'));
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    DNS_SERVERS: '127.0.0.1:9',
    ...settings,
  });
  const app = await createApp(config, overrides);
  const { port } = await app.listen();
  const url = `http://127.0.0.1:${port}`;
  return {
    app,
    port,
    url,
    dataDir,
    createKey: async (plan = 'business') => {
      accounts += 1;
      const now = (overrides.now ?? Date.now)();
      const account = await createAccount(
        app.storage.accounts,
        config.plans,
        { email: `user${accounts}@example.com`, plan, admin: false },
        now,
      );
      const created = await createKey(app.storage.keys, { accountId: account.id, name: 'test' }, now);
      return created.secret;
    },
    call: (path, key, init = {}) =>
      fetch(url + path, {
        ...init,
        headers: {
          ...(key ? { 'x-api-key': key } : {}),
          ...(init.headers as Record<string, string> | undefined),
        },
      }),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
