import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { computeWaitingBytes, PageWait } from './page-wait.ts';

void describe('a document that waits in its page', () => {
  void it('leaves when its page has become too large, and does not wait again', async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const wait = new PageWait();
    let bytes = computeWaitingBytes(1_200);
    const isTooLarge = (): boolean => bytes > computeWaitingBytes(1_200);
    const printedAgain = wait.wait(isTooLarge);
    t.mock.timers.tick(100);
    assert.ok(wait.isWaiting);
    bytes += 1;
    t.mock.timers.tick(100);
    assert.deepEqual([wait.isWaiting, await printedAgain], [false, false]);
    assert.deepEqual([await wait.wait(isTooLarge), wait.isWaiting], [false, false]);
  });

  void it('is printed again, and waits again', async () => {
    const wait = new PageWait();
    for (let round = 0; round < 2; round += 1) {
      const printedAgain = wait.wait(() => false);
      await wait.whenWaiting;
      wait.resume();
      assert.deepEqual([wait.isWaiting, await printedAgain], [false, true]);
    }
  });
});
