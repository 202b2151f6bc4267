import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { installFolder } from '../../scripts/setup/cache-folder.mjs';
import { useKeeper } from './open-keeper.ts';
import { openSlots, type TestSlots } from './open-slots.ts';

const base = mkdtempSync(join(tmpdir(), 'unpacking-'));
after(() => rmSync(base, { recursive: true, force: true }));

void describe('a browser that a set-up is unpacking', { timeout: 60_000 }, () => {
  let keeper: TestSlots;
  let messages: string[] = [];
  afterEach(() => keeper.close());

  function openKeeper(chromiumCacheDir: string): Promise<TestSlots> {
    messages = [];
    const log = (_fields: object, message: string): void => void messages.push(message);
    return openSlots({ chromiumPath: null, chromiumCacheDir, log: { info: log, warn: log, error: log } });
  }

  for (const name of ['chromium-1.0.0', 'fonts-3'])
    void it(`does not keep the service from listening, and the first document waits for it: ${name}`, async () => {
      const cache = mkdtempSync(join(base, 'cache-'));
      const unpacked = Promise.withResolvers<void>();
      const setUp = installFolder(cache, name, { fill: () => unpacked.promise, isComplete: () => false });
      keeper = await openKeeper(cache);
      assert.equal(keeper.status().ready, false);
      assert.equal(keeper.status().reason, 'the browser is still being unpacked');
      const rendered = useKeeper(keeper, null, () => Promise.resolve('done'));
      unpacked.resolve();
      await setUp;
      assert.equal(await rendered, 'done');
      assert.equal(keeper.status().ready, true);
      assert.ok(!messages.includes('no browser could be started'), messages.join());
    });

  void it('is not waited for after its set-up was killed', async () => {
    const cache = mkdtempSync(join(base, 'cache-'));
    // Ids of processes are smaller.
    mkdirSync(join(cache, '.new-chromium-1.0.0-99999999-1'));
    keeper = await openKeeper(cache);
    assert.equal(keeper.status().ready, true);
  });

  void it('is not waited for by a service that stops', async () => {
    const cache = mkdtempSync(join(base, 'cache-'));
    mkdirSync(join(cache, `.new-chromium-1.0.0-${process.pid}-1`));
    keeper = await openKeeper(cache);
    await keeper.close();
    assert.ok(!messages.includes('the browser is ready'));
  });
});
