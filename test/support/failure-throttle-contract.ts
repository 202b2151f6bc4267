/** The contract of the throttle of password guessing, for each implementation of its counts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { type FailureCounts, createFailureThrottle } from '../../src/accounts/sign-in/failure-throttle.ts';

type OpenCounts = (now: () => number) => FailureCounts;

function open(openCounts: OpenCounts) {
  const clock = { ms: 1_000_000 };
  const throttle = createFailureThrottle(openCounts(() => clock.ms));
  /** Returns the seconds that an attempt has to wait, 0 if it is accepted; the attempt is undone. */
  const computeWait = async (address: string, account: string): Promise<number> => {
    try {
      const attempt = await throttle.beginAttempt(address, account);
      await attempt.undo();
      return 0;
    } catch (error) {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, 'rate_limit_exceeded');
      return error.retryAfterSeconds ?? -1;
    }
  };
  /** Fails attempts at an account from different addresses, each as soon as it is accepted. */
  const fail = async (account: string, times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      clock.ms += (await computeWait('203.0.113.99', account)) * 1000;
      await throttle.beginAttempt(`192.0.2.${n}`, account);
    }
  };
  return { clock, throttle, computeWait, fail };
}

/** Defines the tests of the throttle over these counts. `skip` is the reason why they cannot run. */
export function describeFailureThrottle(
  name: string,
  openCounts: OpenCounts,
  skip: string | false = false,
): void {
  describe(`the throttle of password guessing: ${name}`, { skip }, () => {
    it('delays an account by 1 s after its fifth failure, then twice as long after each failure, up to 15 minutes', async () => {
      const { clock, throttle, computeWait } = open(openCounts);
      const waits: number[] = [];
      for (let n = 0; n < 18; n++) {
        await throttle.beginAttempt(`192.0.2.${n}`, 'ann@example.com');
        const wait = await computeWait('198.51.100.1', 'ann@example.com');
        waits.push(wait);
        clock.ms += wait * 1000;
        assert.equal(await computeWait('198.51.100.1', 'ann@example.com'), 0, 'after the wait');
      }
      assert.deepEqual(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
      assert.equal(await computeWait('198.51.100.1', 'bob@example.com'), 0, 'another account');
    });

    it('delays an address with 20 failures, at any accounts, until its minute ends', async () => {
      const { clock, throttle, computeWait } = open(openCounts);
      for (let n = 0; n < 20; n++) await throttle.beginAttempt('192.0.2.1', `user${n}@example.com`);
      assert.equal(await computeWait('192.0.2.1', 'fresh@example.com'), 60);
      assert.equal(await computeWait('192.0.2.2', 'fresh@example.com'), 0);
      clock.ms += 59_001;
      assert.equal(await computeWait('192.0.2.1', 'fresh@example.com'), 1);
      clock.ms += 1_000;
      assert.equal(await computeWait('192.0.2.1', 'fresh@example.com'), 0);
    });

    it('accepts as many concurrent attempts as consecutive ones', async () => {
      const { throttle } = open(openCounts);
      const attempts = await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) => throttle.beginAttempt(`192.0.2.${n}`, 'ann@example.com')),
      );
      assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 5);
    });

    it('does not count an attempt whose password was not verified', async () => {
      const { throttle, computeWait } = open(openCounts);
      for (let n = 0; n < 50; n++) await (await throttle.beginAttempt('192.0.2.1', 'ann@example.com')).undo();
      assert.equal(await computeWait('192.0.2.1', 'ann@example.com'), 0);
    });

    it('does not delay an address that signed in before: strangers cannot lock out an owner', async () => {
      const { throttle, computeWait, fail } = open(openCounts);
      await (await throttle.beginAttempt('203.0.113.5', 'ann@example.com')).succeed();
      await fail('ann@example.com', 12);
      assert.ok((await computeWait('192.0.2.200', 'ann@example.com')) > 0);
      assert.equal(await computeWait('203.0.113.5', 'ann@example.com'), 0);
    });

    it('clears the failures after a success, and after a day', async () => {
      const { clock, throttle, computeWait, fail } = open(openCounts);
      await fail('ann@example.com', 10);
      assert.ok((await computeWait('198.51.100.1', 'ann@example.com')) > 0);
      clock.ms += 900_000;
      await (await throttle.beginAttempt('198.51.100.2', 'ann@example.com')).succeed();
      assert.equal(await computeWait('198.51.100.1', 'ann@example.com'), 0);
      await fail('bob@example.com', 10);
      clock.ms += 24 * 3_600_000;
      await throttle.beginAttempt('192.0.2.77', 'bob@example.com');
      assert.equal(await computeWait('198.51.100.1', 'bob@example.com'), 0);
    });

    it('allows 30 sign-ups and mails per address and minute, 3 mails per account, kind and hour', async () => {
      const { clock, throttle } = open(openCounts);
      for (let n = 0; n < 30; n++) await throttle.consumeRequest('192.0.2.1');
      await assert.rejects(throttle.consumeRequest('192.0.2.1'), { code: 'rate_limit_exceeded' });
      await throttle.consumeRequest('192.0.2.2');
      const mail = (): Promise<boolean> => throttle.consumeMail('ann@example.com', 'reset');
      assert.deepEqual([await mail(), await mail(), await mail(), await mail()], [true, true, true, false]);
      assert.ok(await throttle.consumeMail('ann@example.com', 'verification'), 'another kind');
      clock.ms += 3_600_000;
      await throttle.consumeRequest('192.0.2.1');
      assert.ok(await throttle.consumeMail('ann@example.com', 'reset'));
    });
  });
}
