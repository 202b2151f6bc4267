import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { continueInTurn, hasTurnTime, runInSlices, startInTurn, workInTurn } from './turns.ts';
import { countTurns } from '../../test/support/count-turns.ts';

/** Longer than what a turn has time for. */
const LONG_MS = 6;

function spin(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs;);
}

/** Uses up the time of this turn. */
function fillTurn(): void {
  assert.ok(hasTurnTime());
  spin(LONG_MS);
  assert.ok(!hasTurnTime());
}

/** Runs `work` in a turn of its own that nothing else has used. */
async function inFreshTurn(work: () => void | Promise<void>): Promise<void> {
  while (!(await nextTurn(hasTurnTime())));
  await work();
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await nextTurn();
};

void describe('turns of the event loop', () => {
  void it('work that can wait is done at once in a turn that has time', () =>
    inFreshTurn(() => {
      const done: string[] = [];
      continueInTurn(() => done.push('work'));
      startInTurn(
        () => done.push('arrival'),
        () => 'a',
      );
      assert.deepEqual(done, ['work', 'arrival']);
    }));

  void it('in a turn that has been long, it continues in a later one, in order', () =>
    inFreshTurn(async () => {
      const done: number[] = [];
      fillTurn();
      for (let n = 0; n < 5; n += 1) continueInTurn(() => done.push(n));
      assert.deepEqual(done, []);
      await until(() => done.length === 5);
      assert.deepEqual(done, [0, 1, 2, 3, 4]);
    }));

  void it('pieces of work that are long by themselves take one turn each', () =>
    inFreshTurn(async () => {
      const turns = countTurns();
      const seen: number[] = [];
      fillTurn();
      await Promise.all(
        Array.from({ length: 4 }, () =>
          workInTurn(() => {
            seen.push(turns.count);
            spin(LONG_MS);
          }),
        ),
      );
      turns.stop();
      assert.equal(new Set(seen).size, 4, `in turns ${seen.join(', ')}`);
    }));

  void it('the time of promises between two pieces of work counts', () =>
    inFreshTurn(async () => {
      const turns = countTurns();
      const seen: number[] = [];
      fillTurn();
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          await new Promise<void>((resolve) => continueInTurn(resolve));
          seen.push(turns.count);
          spin(LONG_MS);
        }),
      );
      turns.stop();
      assert.equal(new Set(seen).size, 4, `in turns ${seen.join(', ')}`);
    }));

  void it('requests of a client with one start between those of a client with many', () =>
    inFreshTurn(async () => {
      const started: string[] = [];
      fillTurn();
      for (let n = 0; n < 1000; n += 1)
        startInTurn(
          () => started.push('many'),
          () => 'many',
        );
      startInTurn(
        () => started.push('few'),
        () => 'few',
      );
      await until(() => started.length === 1001);
      assert.equal(started.indexOf('few'), 1);
    }));

  void it('work of a client with one piece is done after one of a client with many', () =>
    inFreshTurn(async () => {
      const done: string[] = [];
      fillTurn();
      for (let n = 0; n < 1000; n += 1) void workInTurn(() => done.push('many'), 'many');
      void workInTurn(() => done.push('few'), 'few');
      continueInTurn(() => done.push('few too'), 'few');
      await until(() => done.length === 1002);
      assert.deepEqual([done.indexOf('few'), done.indexOf('few too')], [1, 3]);
    }));

  void it('requests start beside work that fills every turn, and that work continues beside them', () =>
    inFreshTurn(async () => {
      const done = { requests: 0, slices: 0 };
      const working = runInSlices(() => {
        spin(LONG_MS);
        done.slices += 1;
        return done.slices === 20;
      });
      for (let n = 0; n < 1000; n += 1)
        startInTurn(
          () => {
            spin(0.2);
            done.requests += 1;
          },
          () => 'a',
        );
      await working;
      assert.ok(done.requests > 60 && done.requests < 1000, `${done.requests} requests beside 20 slices`);
      await until(() => done.requests === 1000);
    }));

  void it('a piece of work that throws rejects only for its caller', () =>
    inFreshTurn(async () => {
      fillTurn();
      const failing = workInTurn(() => {
        throw new Error('broken');
      });
      const working = workInTurn(() => 'result');
      await assert.rejects(failing, /broken/);
      assert.equal(await working, 'result');
    }));
});
