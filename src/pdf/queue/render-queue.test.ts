import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RenderQueue, type Lease, type RenderQueueOptions } from './render-queue.ts';

function openQueue(overrides: Partial<RenderQueueOptions> = {}): RenderQueue {
  return new RenderQueue({
    slots: 2,
    maxQueued: 100,
    maxQueuedBytes: 1e9,
    maxWaitMs: 60_000,
    now: () => 0,
    ...overrides,
  });
}

/** Lets every promise that can settle do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Asks for slots in order and notes who gets one. */
function caller(queue: RenderQueue): {
  ask: (keyId: string, bytes?: number, signal?: AbortSignal) => void;
  served: string[];
  refused: unknown[];
  leases: Lease[];
} {
  const served: string[] = [];
  const refused: unknown[] = [];
  const leases: Lease[] = [];
  const ask = (keyId: string, bytes = 1_000, signal?: AbortSignal): void => {
    queue.acquire({ keyId, bytes, signal }).then(
      (lease) => {
        served.push(keyId);
        leases.push(lease);
        return null;
      },
      (error: unknown) => refused.push(error),
    );
  };
  return { ask, served, refused, leases };
}

void describe('the render queue', () => {
  void it('serves the keys in turn, however many documents one of them has sent', async () => {
    const { ask, served, leases } = caller(openQueue({ slots: 1 }));
    for (let count = 0; count < 6; count += 1) ask('greedy');
    ask('a');
    ask('b');
    for (let turn = 0; turn < 8; turn += 1) {
      await settle();
      leases.shift()?.release();
    }
    await settle();
    assert.deepEqual(served.slice(0, 4).sort(), ['a', 'b', 'greedy', 'greedy']);
    assert.equal(served.length, 8);
  });

  void it('keeps a slot for small documents', async () => {
    const { ask, served, leases } = caller(openQueue({ slots: 2 }));
    ask('big', 5e6);
    ask('big2', 5e6);
    ask('small');
    await settle();
    assert.deepEqual(served, ['big', 'small']);
    leases[0]?.release();
    await settle();
    assert.deepEqual(served, ['big', 'small', 'big2']);
  });

  void it('lets a large document run where there is one slot only', async () => {
    const { ask, served } = caller(openQueue({ slots: 1 }));
    ask('big', 5e6);
    await settle();
    assert.deepEqual(served, ['big']);
  });

  void it('503: refuses at once what does not fit, with the seconds to wait', async () => {
    const { ask, refused } = caller(openQueue({ slots: 1, maxQueued: 2 }));
    for (let count = 0; count < 4; count += 1) ask('a');
    await settle();
    assert.equal(refused.length, 1);
    const [error] = refused as { code: string; retryAfterSeconds: number }[];
    assert.equal(error?.code, 'overloaded');
    assert.ok((error?.retryAfterSeconds ?? 0) >= 1);
  });

  void it('503: refuses at once what would wait too long, as measured', async () => {
    let now = 0;
    const queue = openQueue({ slots: 1, maxWaitMs: 10_000, now: () => now });
    for (let count = 0; count < 20; count += 1) {
      const lease = await queue.acquire({ keyId: 'a', bytes: 10 });
      now += 4_000;
      lease.release();
    }
    const { ask, refused, served } = caller(queue);
    for (let count = 0; count < 6; count += 1) ask('a');
    await settle();
    assert.equal(served.length, 1);
    assert.ok(refused.length >= 2, `${refused.length} refused`);
    assert.ok(
      (refused as { retryAfterSeconds: number }[]).every(
        ({ retryAfterSeconds }) => retryAfterSeconds >= 1 && retryAfterSeconds < 60,
      ),
    );
  });

  void it('in a full queue the greediest key gives way to another', async () => {
    const { ask, refused, served, leases } = caller(openQueue({ slots: 1, maxQueued: 4 }));
    for (let count = 0; count < 5; count += 1) ask('greedy');
    ask('modest');
    await settle();
    assert.equal(refused.length, 1);
    leases[0]?.release();
    await settle();
    assert.deepEqual(served, ['greedy', 'modest']);
  });

  void it('is bounded in bytes too', async () => {
    const { ask, refused } = caller(openQueue({ slots: 1, maxQueuedBytes: 10_000_000 }));
    for (let count = 0; count < 4; count += 1) ask('a', 5e6);
    await settle();
    assert.equal(refused.length, 1);
  });

  void it('forgets a caller who has gone', async () => {
    const { ask, served, refused, leases } = caller(openQueue({ slots: 1 }));
    const gone = new AbortController();
    ask('a');
    ask('b', 10, gone.signal);
    ask('c');
    await settle();
    gone.abort(new Error('gone'));
    leases[0]?.release();
    await settle();
    assert.deepEqual(served, ['a', 'c']);
    assert.equal(String(refused[0]), 'Error: gone');
  });

  void it('closes when what runs and waits has ended, and takes nothing new', async () => {
    const queue = openQueue({ slots: 1 });
    const { ask, served, refused, leases } = caller(queue);
    ask('a');
    ask('b');
    await settle();
    let isClosed = false;
    const closing = queue.close().then(() => (isClosed = true));
    ask('late');
    leases[0]?.release();
    await settle();
    assert.equal(isClosed, false);
    leases[1]?.release();
    await closing;
    assert.deepEqual(served, ['a', 'b']);
    assert.equal((refused[0] as { code: string }).code, 'unavailable');
  });
});
