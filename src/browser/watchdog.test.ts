import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { watchBrowser } from './render-page.ts';

/** A browser that responds when the test says so, watched by a mocked clock. */
function watch(test: TestContext, isNeeded: () => boolean) {
  test.mock.timers.enable({ apis: ['setInterval'] });
  const kills: string[] = [];
  let respond = (): void => {};
  const unwatch = watchBrowser(
    {
      ping: () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
      kill: (reason) => void kills.push(reason),
    },
    isNeeded,
  );
  return { kills, unwatch, respond: () => respond(), pass: (ms: number) => test.mock.timers.tick(ms) };
}

void describe('a browser that many renders share', () => {
  void it('is killed when it does not respond for one and a half seconds', (test) => {
    const { kills, unwatch, pass } = watch(test, () => true);
    pass(1_500);
    assert.deepEqual(kills, []);
    pass(100);
    assert.deepEqual(kills, ['unresponsive']);
    unwatch();
    pass(10_000);
    assert.deepEqual(kills, ['unresponsive']);
  });

  void it('is kept while it responds, however late', async (test) => {
    const { kills, unwatch, respond, pass } = watch(test, () => true);
    for (let round = 0; round < 5; round += 1) {
      pass(1_400);
      respond();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(kills, []);
    unwatch();
  });

  void it('is kept if no other render needs it', (test) => {
    const { kills, unwatch, pass } = watch(test, () => false);
    pass(60_000);
    assert.deepEqual(kills, []);
    unwatch();
  });
});
