import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { Semaphore, type SemaphoreOptions } from './semaphore.ts';

const ignore = () => {};

interface Task {
  id: number;
  isPreferred: boolean;
  key: string;
}

/** The rules of a semaphore, written for reading and not for speed. */
class Model {
  readonly running: Task[] = [];
  waiting: Task[] = [];
  readonly #maxRunning: number;
  readonly #maxQueued: number;
  readonly #options: Required<Omit<SemaphoreOptions, 'createError'>>;

  constructor(
    maxRunning: number,
    maxQueued: number,
    options: Required<Omit<SemaphoreOptions, 'createError'>>,
  ) {
    this.#maxRunning = maxRunning;
    this.#maxQueued = maxQueued;
    this.#options = options;
  }

  /** Returns whether the task is accepted: to run or, unless it is `now`, to wait. */
  add(task: Task, now: boolean): boolean {
    if (!this.#hasPlace(task)) {
      if (now) return false;
      if (!task.isPreferred && this.waiting.length >= this.#maxQueued) return false;
      const { length } = this.waiting.filter(({ key }) => key === task.key);
      if (length >= this.#options.maxQueuedPerKey) return false;
    }
    this.waiting.push(task);
    this.#startAll();
    return true;
  }

  remove(task: Task): void {
    const index = this.running.indexOf(task);
    if (index >= 0) this.running.splice(index, 1);
    this.waiting = this.waiting.filter((other) => other !== task);
    this.#startAll();
  }

  #hasPlace({ isPreferred }: Task): boolean {
    return this.running.length < this.#maxRunning - (isPreferred ? 0 : this.#options.reserved);
  }

  #startAll(): void {
    for (;;) {
      const next = this.waiting.find(({ isPreferred }) => isPreferred) ?? this.waiting[0];
      if (next === undefined || !this.#hasPlace(next)) return;
      this.waiting = this.waiting.filter((task) => task !== next);
      this.running.push(next);
    }
  }
}

const sizes = fc.record({
  maxRunning: fc.integer({ min: 1, max: 3 }),
  maxQueued: fc.integer({ min: 0, max: 5 }),
  reserved: fc.integer({ min: 0, max: 1 }),
  maxQueuedPerKey: fc.constantFrom(1, 2, Infinity),
});
const task = { isPreferred: fc.boolean(), key: fc.constantFrom('a', 'b') };

const passMicrotasks = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await Promise.resolve();
};

void describe('a semaphore with any tasks', () => {
  void it('starts them as the rules say, and gives each place once', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ act: fc.constant('add' as const), now: fc.boolean(), ...task }),
        fc.record({ act: fc.constant('remove' as const), index: fc.nat(30) }),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(sizes, steps, ({ maxRunning, maxQueued, ...sized }, all) => {
        const options = { ...sized, reserved: Math.min(sized.reserved, maxRunning - 1) };
        const semaphore = new Semaphore(maxRunning, maxQueued, options);
        const model = new Model(maxRunning, maxQueued, options);
        const tasks: { task: Task; release: () => void }[] = [];
        const started: number[] = [];
        for (const [id, step] of all.entries()) {
          if (step.act === 'add') {
            const added = { id, isPreferred: step.isPreferred, key: step.key };
            const run = (): void => void started.push(id);
            const release = step.now ? semaphore.tryAcquireNow(added) : semaphore.tryAcquire(run, added);
            if (step.now && release) run();
            assert.equal(release !== null, model.add(added, step.now));
            if (release) tasks.push({ task: added, release });
          } else {
            // A second release of the same task does nothing.
            const removed = tasks[step.index % tasks.length];
            removed?.release();
            if (removed) model.remove(removed.task);
          }
          assert.deepEqual(
            [semaphore.running, semaphore.waiting],
            [model.running.length, model.waiting.length],
          );
          assert.equal(new Set(started).size, started.length, 'no task starts twice');
          for (const { id } of model.running) assert.ok(started.includes(id));
          for (const { id } of model.waiting) assert.ok(!started.includes(id));
        }
      }),
      { numRuns: 500 },
    );
  });

  void it('loses no place and gives none twice if they abort, expire or end at any moment', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ act: fc.constant('acquire' as const), ...task, expires: fc.boolean() }),
        fc.record({ act: fc.constantFrom('abort' as const, 'release' as const), index: fc.nat(30) }),
        // One microtask is less than an `acquire` needs to settle.
        fc.record({ act: fc.constantFrom('microtask' as const, 'time' as const) }),
      ),
      { minLength: 8, maxLength: 50 },
    );
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      await fc.assert(
        fc.asyncProperty(sizes, steps, async ({ maxRunning, maxQueued, ...sized }, all) => {
          const options = { ...sized, reserved: Math.min(sized.reserved, maxRunning - 1) };
          const semaphore = new Semaphore(maxRunning, maxQueued, options);
          const held: (() => void)[] = [];
          const controllers: AbortController[] = [];
          const outcomes: Promise<void>[] = [];
          let settled = 0;
          for (const step of all) {
            if (step.act === 'acquire') {
              const { isPreferred, key, expires } = step;
              const controller = new AbortController();
              controllers.push(controller);
              const acquired = semaphore.acquire({
                isPreferred,
                key,
                signal: controller.signal,
                ...(expires && { maxWaitMs: 10 }),
              });
              const outcome = acquired.then((release) => void held.push(release), ignore);
              outcomes.push(outcome.then(() => void (settled += 1)));
            } else if (step.act === 'abort') controllers[step.index % controllers.length]?.abort();
            else if (step.act === 'release') held.splice(step.index % held.length, 1)[0]?.();
            else if (step.act === 'time') mock.timers.tick(10);
            else await Promise.resolve();
            assert.ok(held.length <= semaphore.running && semaphore.running <= maxRunning);
          }
          await passMicrotasks(10);
          assert.equal(semaphore.running, held.length, 'each place has an owner');
          assert.equal(semaphore.waiting, controllers.length - settled, 'each task waits or is settled');
          while (held.length > 0 || semaphore.waiting > 0) {
            assert.ok(held.length > 0, 'a task waits although all places are free');
            held.shift()?.();
            await passMicrotasks(10);
          }
          await Promise.all(outcomes);
          assert.deepEqual([semaphore.running, semaphore.waiting], [0, 0]);
          for (const { signal } of controllers) assert.deepEqual(getEventListeners(signal, 'abort'), []);
        }),
        { numRuns: 500 },
      );
    } finally {
      mock.timers.reset();
    }
  });
});
