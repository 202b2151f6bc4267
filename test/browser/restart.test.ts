import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findChromium } from '#browser';
import { ChromiumLauncher } from '../../src/browser/launch/chromium-launcher.ts';
import { scaledMs } from '../support/patience.ts';
import { until, useKeeper } from './open-keeper.ts';
import { openSlots, type TestSlots } from './open-slots.ts';

/** Lists the browsers of this process, by process id. */
function listBrowsers(): number[] {
  const isBrowser = (name: string): boolean => {
    try {
      const parent = /\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'latin1'))?.[1];
      return parent === String(process.pid) && readFileSync(`/proc/${name}/cmdline`).length > 0;
    } catch {
      return false;
    }
  };
  return readdirSync('/proc').filter(isBrowser).map(Number);
}

/** Kills each browser of this process as soon as it has started. Returns a function that ends that. */
function killBrowsers(): Disposable & { stop: () => number } {
  let kills = 0;
  const timer = setInterval(() => {
    for (const pid of listBrowsers()) {
      try {
        process.kill(pid, 'SIGKILL');
        kills += 1;
      } catch {}
    }
  }, 5);
  const stop = (): number => {
    clearInterval(timer);
    return kills;
  };
  return { stop, [Symbol.dispose]: stop };
}

interface Attempt {
  startedAt: number;
  ms: number;
  /** Null if the render succeeded. */
  retryAfterSeconds: number | null;
}

/** Renders in a slot. Rejects unless it succeeds, or there is no browser. */
async function render(slots: TestSlots): Promise<Attempt> {
  const startedAt = performance.now();
  const work = (): Promise<unknown> => useKeeper(slots, null, (page) => page.evaluate('1'));
  const retryAfterSeconds = await slots.run({ accountId: 'a' }, undefined, work).then(
    () => null,
    (error: { retryAfterSeconds?: number }) => error.retryAfterSeconds ?? Promise.reject(error as Error),
  );
  return { startedAt, ms: performance.now() - startedAt, retryAfterSeconds };
}

void describe('a browser that does not start', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'restart-'));
  const events: string[] = [];
  let slots: TestSlots;
  afterEach(() => slots.close());
  after(() => rmSync(folder, { recursive: true }));

  const open = async (chromiumPath: string | null = null): Promise<TestSlots> => {
    events.length = 0;
    slots = await openSlots({ chromiumPath, onBrowserEvent: (event) => void events.push(event) });
    return slots;
  };
  const count = (event: string): number => events.filter((one) => one === event).length;

  void it('is back a second after it was killed at each start for seconds', async (test) => {
    await open();
    assert.equal((await render(slots)).retryAfterSeconds, null);
    using killer = killBrowsers();
    const attempts: Attempt[] = [];
    for (const end = performance.now() + 4_000; performance.now() < end; await delay(20))
      attempts.push(await render(slots));
    assert.ok(killer.stop() >= 5);
    const failed = attempts.filter(({ retryAfterSeconds }) => retryAfterSeconds !== null);
    assert.ok(failed.length > 0);
    for (const { retryAfterSeconds } of failed) assert.equal(retryAfterSeconds, 1);
    // Those that arrive between two starts wait for the next one.
    assert.ok(failed.every(({ ms }) => ms > 0 && ms < scaledMs(4_000)));
    const next = await render(slots);
    test.diagnostic(`${failed.length} × 503 in 4 s, then ${next.ms.toFixed()} ms to the next render`);
    assert.equal(next.retryAfterSeconds, null);
    assert.ok(next.ms < scaledMs(2_000), `${next.ms} ms after the last kill`);
  });

  void it('is started again without a render, if it has worked before', async () => {
    await open();
    await render(slots);
    using killer = killBrowsers();
    await until(() => count('start_failed') >= 3);
    killer.stop();
    await until(() => slots.status().ready);
  });

  void it('is tried every 0.5 s then, and no more after the service was closed', async () => {
    const chromiumPath = join(folder, 'lost-chromium');
    const binary = await findChromium({ chromiumPath: null, cacheDir: null });
    symlinkSync(binary?.path ?? '', chromiumPath);
    let errors = 0;
    const log = { info() {}, warn() {}, error: () => void (errors += 1) };
    const lost = await openSlots({ chromiumPath, log, onBrowserEvent: (event) => void events.push(event) });
    events.length = 0;
    await render(lost);
    rmSync(chromiumPath);
    const startedAt = performance.now();
    using killer = killBrowsers();
    // Without the bound, 12.7 s of pauses.
    await until(() => count('start_failed') >= 8);
    killer.stop();
    assert.ok(performance.now() - startedAt < scaledMs(8_000));
    const known = errors;
    await lost.close();
    await delay(700);
    assert.equal(errors, known);
    slots = lost;
  });

  void it('is not started twice if a render starts it between two attempts', async () => {
    const chromiumPath = join(folder, 'known-chromium');
    const binary = await findChromium({ chromiumPath: null, cacheDir: null });
    const install = (): void => symlinkSync(binary?.path ?? '', chromiumPath);
    install();
    await open(chromiumPath);
    await render(slots);
    rmSync(chromiumPath);
    using killer = killBrowsers();
    await until(() => count('start_failed') >= 4);
    killer.stop();
    install();
    assert.equal((await render(slots)).retryAfterSeconds, null);
    const running = listBrowsers();
    // The next attempt of the service itself was due 0.8 s after the last one.
    await delay(1_500);
    assert.deepEqual(listBrowsers(), running);
    assert.equal(count('started'), 2);
    await slots.close();
    await until(() => listBrowsers().length === 0);
  });

  void it('is tried after 0.1 s, 0.2 s, 0.4 s and so on if none has worked; renders get 30 as Retry-After', async () => {
    const chromiumPath = join(folder, 'chromium');
    await open(chromiumPath);
    assert.equal(count('start_failed'), 1);
    const first = await render(slots);
    assert.ok(first.ms > 650, 'it waits for the starts of the next second');
    const starts = count('start_failed');
    assert.ok(starts >= 2 && starts <= 5, `${starts} starts`);
    for (; count('start_failed') < 6; await delay(20)) await render(slots);
    const refused = await render(slots);
    assert.ok(refused.ms < 1_000, 'immediately');
    assert.equal(refused.retryAfterSeconds, 30);
    // The next start succeeds.
    const binary = await findChromium({ chromiumPath: null, cacheDir: null });
    symlinkSync(binary?.path ?? '', `${chromiumPath}.new`);
    renameSync(`${chromiumPath}.new`, chromiumPath);
    const asked = performance.now();
    while ((await render(slots)).retryAfterSeconds !== null) await delay(100);
    assert.ok(performance.now() - asked < scaledMs(8_000), `${performance.now() - asked} ms`);
    assert.equal(count('start_failed'), 6);
  });
});

void describe('a browser whose first start fails', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'first-start-'));
  after(() => rmSync(folder, { recursive: true }));

  void it('has the safest jail again at its next start; one that fails twice is not tried again', async () => {
    const failures = join(folder, 'failures');
    const starts = join(folder, 'starts');
    const chromiumPath = join(folder, 'chromium');
    const binary = await findChromium({ chromiumPath: null, cacheDir: null });
    const fails = `[ -e ${failures}/$n ] && exit 1`;
    const count = `n=$(ls ${starts} | wc -l); mktemp -p ${starts} >/dev/null`;
    writeFileSync(chromiumPath, `#!/bin/sh\n${count}; ${fails}\nexec ${binary?.path} "$@"\n`);
    for (const path of [failures, starts]) mkdirSync(path);
    for (const path of [folder, failures, starts, chromiumPath]) chmodSync(path, 0o777);
    const log = { info() {}, warn() {}, error() {} };
    const options = { chromiumCacheDir: null, requireSandbox: false, useNetworkNamespace: true, log };
    const start = async (launcher: ChromiumLauncher) => {
      const before = readdirSync(starts).length;
      const { network, sandbox, destroy } = await launcher.launch();
      await destroy();
      return { network, sandbox, tries: readdirSync(starts).length - before };
    };
    const launcher = new ChromiumLauncher({ ...options, chromiumPath });
    const safest = await start(new ChromiumLauncher({ ...options, chromiumPath }));
    rmSync(starts, { recursive: true });
    mkdirSync(starts);
    chmodSync(starts, 0o777);
    writeFileSync(join(failures, '0'), '');
    assert.equal((await start(launcher)).tries, 2);
    assert.deepEqual(await start(launcher), { ...safest, tries: 1 });

    const other = new ChromiumLauncher({ ...options, chromiumPath });
    for (const n of [3, 5]) writeFileSync(join(failures, String(n)), '');
    assert.equal((await start(other)).tries, 2);
    const weaker = await start(other);
    assert.equal(weaker.tries, 2);
    assert.deepEqual(await start(other), { ...weaker, tries: 1 });
  });
});
