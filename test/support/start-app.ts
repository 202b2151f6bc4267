/**
 * Starts the real service for a test, on a free loopback port and with its own data folder. By default, DNS
 * is unreachable.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount, createKey } from '#accounts';
import { type App, createApp } from '#app';
import { loadConfig } from '#config';

export interface TestApp extends AsyncDisposable {
  app: App;
  port: number;
  url: string;
  dataDir: string;
  /** Creates an account with this plan and a key; returns the secret. */
  createKey(plan?: string): Promise<string>;
  /** Sends a request to a path of the service with this key. */
  call(path: string, key?: string | null, init?: RequestInit): Promise<Response>;
}

/** Settings of a service that renders documents. */
export const WITH_BROWSER = { CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '' };

let accounts = 0;

/**
 * Starts a service. `settings` are environment variables and override the defaults for tests. It has no
 * browser, whose start takes longer than its own, unless they include WITH_BROWSER.
 */
export async function startApp(
  settings: Record<string, string> = {},
  overrides: Parameters<typeof createApp>[1] = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'utility-api-test-'));
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    DNS_SERVERS: '127.0.0.1:9',
    CHROMIUM_PATH: '/nonexistent/chromium',
    ...settings,
  });
  const app = await createApp(config, overrides);
  const { port } = await app.listen().catch(async (error: unknown) => {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
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
