/** The refresh of the lists in the real service, from a server on loopback. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '#app';
import { loadConfig } from '#config';
import { startApp, type TestApp } from '../support/start-app.ts';
import { formatNames, startListServer } from './list-server.ts';

const ON_LOOPBACK = { EGRESS_ALLOW_CIDRS: '127.0.0.1/32' };
/** Longer than a refresh and the checks for changes of files take. */
const PATIENCE_MS = 20_000;

it('first start: the service fetches the list, and a domain of it becomes disposable', async () => {
  await using server = await startListServer(formatNames(1200));
  await using service = await startApp({ ...ON_LOOPBACK, DISPOSABLE_LIST_URL: server.url });
  const key = await service.createKey();
  await until(() => isDisposable(service, key, 'throwaway-7.com'));
  assert.equal(await isDisposable(service, key, 'mailbox.throwaway-7.com'), true);
  assert.equal(await isDisposable(service, key, 'yopmail.com'), true, 'beside the bundled list');
  assert.equal(await isDisposable(service, key, 'acme.com'), false);
  assert.deepEqual(server.requests, [null]);
});

it('nothing is fetched before the service listens: the guard must know its addresses', async () => {
  await using server = await startListServer(formatNames(1200));
  const dataDir = await mkdtemp(join(tmpdir(), 'list-refresh-app-'));
  const app = await createApp(
    loadConfig({
      ...ON_LOOPBACK,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      CHROMIUM_PATH: '/nonexistent/chromium',
      DISPOSABLE_LIST_URL: server.url,
    }),
  );
  try {
    await delay(300);
    assert.deepEqual(server.requests, []);
    await app.listen();
    await until(() => server.requests.length === 1);
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true });
  }
});

/** Resolves when the check is true; fails after PATIENCE_MS. */
async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await check())) {
    assert.ok(performance.now() < endMs, 'not within the time of this test');
    await delay(50);
  }
}

async function isDisposable(service: TestApp, key: string, domain: string): Promise<boolean> {
  const response = await service.call(`/v1/email/validate?check_mx=false&email=ann@${domain}`, key);
  const body = (await response.json()) as { disposable: boolean };
  assert.equal(response.status, 200, JSON.stringify(body));
  return body.disposable;
}
