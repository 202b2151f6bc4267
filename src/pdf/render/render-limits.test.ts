import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { watchBrowser } from './render-limits.ts';

/** A browser that answers when told to, watched by a clock that stands still. */
function watch(test: TestContext, isNeeded: () => boolean) {
  test.mock.timers.enable({ apis: ['setInterval'] });
  const given: string[] = [];
  let answer = (): void => {};
  const unwatch = watchBrowser(
    {
      asks: () =>
        new Promise((resolve) => {
          answer = () => resolve(true);
        }),
      giveUp: (why) => void given.push(why),
    },
    isNeeded,
  );
  return { given, unwatch, answer: () => answer(), pass: (ms: number) => test.mock.timers.tick(ms) };
}

void describe('a browser that many renders share', () => {
  void it('is given up when it answers nobody for one and a half seconds', (test) => {
    const { given, unwatch, pass } = watch(test, () => true);
    pass(1_500);
    assert.deepEqual(given, []);
    pass(100);
    assert.deepEqual(given, ['silence']);
    unwatch();
    pass(10_000);
    assert.deepEqual(given, ['silence']);
  });

  void it('is kept while it answers, however late', async (test) => {
    const { given, unwatch, answer, pass } = watch(test, () => true);
    for (let round = 0; round < 5; round += 1) {
      pass(1_400);
      answer();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(given, []);
    unwatch();
  });

  void it('is kept where nobody else needs it', (test) => {
    const { given, unwatch, pass } = watch(test, () => false);
    pass(60_000);
    assert.deepEqual(given, []);
    unwatch();
  });
});
