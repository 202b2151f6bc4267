import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { LossReason } from '../browser-errors.ts';
import { FrameQueue } from './frames.ts';
import { VirtualTime } from './virtual-time.ts';

/** A page whose browser is the test. */
class FakePage {
  lossReason: LossReason | null = null;
  cpuMs = 0;
  readonly time = { takeFrameTicks: () => null };
  readonly #disposal = Promise.withResolvers<void>();
  readonly whenDisposed = this.#disposal.promise;
  /** Ends the frame in flight; null without one. */
  answer: ((isLost?: boolean) => void) | null = null;

  send(): Promise<void> {
    const frame = Promise.withResolvers<void>();
    this.answer = (isLost = false) => {
      this.answer = null;
      if (isLost) frame.reject(new Error('the page has ended'));
      else frame.resolve();
    };
    return frame.promise;
  }

  abandon(reason: LossReason): void {
    this.lossReason = reason;
    this.answer?.(true);
  }

  confirmDisposal(): void {
    this.#disposal.resolve();
  }
}

function openQueue(onStuck: () => void = assert.fail): FrameQueue {
  return new FrameQueue(onStuck);
}

/** Requests a frame of each page at the same moment. */
async function showAll(queue: FrameQueue, pages: readonly FakePage[]): Promise<boolean[]> {
  const isShown = pages.map(() => false);
  for (const [at, page] of pages.entries()) void queue.show(page).then(() => (isShown[at] = true));
  await setImmediate();
  return isShown;
}

function openPages(count: number): FakePage[] {
  return Array.from({ length: count }, () => new FakePage());
}

describe('the frames of the pages of one browser', () => {
  it('are sent one after the other, each when the one before has its answer', async () => {
    const pages = openPages(3);
    const isShown = await showAll(openQueue(), pages);
    for (const [at, page] of pages.entries()) {
      assert.deepEqual(
        pages.map(({ answer }) => answer !== null),
        pages.map((_, other) => other === at),
      );
      assert.deepEqual(isShown.filter(Boolean).length, at);
      page.answer?.();
      await setImmediate();
    }
    assert.deepEqual(isShown, [true, true, true]);
  });

  it('wait for the confirmed disposal of a page that is lost in its frame', async () => {
    const [lost, next] = openPages(2) as [FakePage, FakePage];
    const isShown = await showAll(openQueue(), [lost, next]);
    lost.abandon('deadline');
    await setImmediate();
    assert.equal(next.answer, null);
    lost.confirmDisposal();
    await setImmediate();
    assert.ok(next.answer);
    assert.deepEqual(isShown, [true, false]);
  });

  it('do not wait for a page that was lost before its turn', async () => {
    const [first, lost, next] = openPages(3) as [FakePage, FakePage, FakePage];
    await showAll(openQueue(), [first, lost, next]);
    lost.abandon('discarded');
    first.answer?.();
    await setImmediate();
    assert.equal(lost.answer, null);
    assert.ok(next.answer);
  });

  it('end the browser if it does not confirm the disposal in ten seconds', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const [lost, next] = openPages(2) as [FakePage, FakePage];
    let isEnded = false;
    await showAll(
      openQueue(() => (isEnded = true)),
      [lost, next],
    );
    lost.abandon('deadline');
    await setImmediate();
    context.mock.timers.tick(10_000);
    await setImmediate();
    assert.ok(isEnded);
    assert.equal(next.answer, null);
  });

  it('continue after a frame that the browser refuses', async () => {
    const [refused, next] = openPages(2) as [FakePage, FakePage];
    await showAll(openQueue(), [refused, next]);
    refused.answer?.(true);
    await setImmediate();
    assert.equal(refused.lossReason, null);
    assert.ok(next.answer);
  });
});

describe('a page that is busy in its frame', () => {
  it('is abandoned after half a second of CPU time if others wait', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
    const [busy, next] = openPages(2) as [FakePage, FakePage];
    await showAll(openQueue(), [busy, next]);
    context.mock.timers.tick(100);
    busy.cpuMs = 490;
    context.mock.timers.tick(1_000);
    assert.equal(busy.lossReason, null);
    busy.cpuMs = 500;
    context.mock.timers.tick(100);
    assert.equal(busy.lossReason, 'frame');
    busy.confirmDisposal();
    await setImmediate();
    assert.ok(next.answer);
  });

  it('is abandoned after three seconds in which it only waits, if others wait', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
    const [idle, next] = openPages(2) as [FakePage, FakePage];
    await showAll(openQueue(), [idle, next]);
    context.mock.timers.tick(2_900);
    assert.equal(idle.lossReason, null);
    context.mock.timers.tick(100);
    assert.equal(idle.lossReason, 'frame');
  });

  it('is left alone while no other waits', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
    const [busy, later] = openPages(2) as [FakePage, FakePage];
    const queue = openQueue();
    await showAll(queue, [busy]);
    context.mock.timers.tick(100);
    busy.cpuMs = 9_000;
    context.mock.timers.tick(9_000);
    assert.equal(busy.lossReason, null);
    await showAll(queue, [later]);
    context.mock.timers.tick(100);
    assert.equal(busy.lossReason, 'frame');
  });
});

it('the instant of a frame is that of the clock, and later than the frame before', async () => {
  const page = {
    whenLost: new Promise<never>(() => {}),
    send: async () => ({ virtualTimeTicksBase: 5_000 }),
    sendAndForget: (): void => time.expire(),
  };
  const time: VirtualTime = new VirtualTime(page);
  assert.equal(time.takeFrameTicks(), null);
  await time.start(1e12);
  assert.deepEqual([time.takeFrameTicks(), time.takeFrameTicks()], [5_000, 5_001]);
  await time.grant(16, true);
  assert.equal(time.takeFrameTicks(), 5_016);
});
