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

    it('allows 5 sign-ups without an invitation per network and day, and 1,000 of all', async () => {
      const { clock, throttle } = open(openCounts);
      const countAdmitted = async (addresses: readonly string[]): Promise<number> => {
        const results = await Promise.allSettled(addresses.map((one) => throttle.consumeSignUp(one)));
        for (const result of results)
          if (result.status === 'rejected') {
            assert.ok(result.reason instanceof ApiError);
            assert.match(result.reason.message, /^Too many people have signed up in the last 24 hours/);
            assert.ok((result.reason.retryAfterSeconds ?? 0) > 80_000, 'hours');
          }
        return results.filter(({ status }) => status === 'fulfilled').length;
      };
      const list = (count: number, format: (n: number) => string) =>
        Array.from({ length: count }, (_, n) => format(n));
      assert.equal(await countAdmitted(list(20, (n) => `203.0.113.${n}`)), 5, 'one /24');
      assert.equal(await countAdmitted(list(20, (n) => `2001:db8:1:${n}::/64`)), 5, 'one /48');
      assert.equal(await countAdmitted(['203.0.114.1', '2001:db8:2:1::/64']), 2, 'other networks');
      for (const address of [
        '127.0.0.1',
        '10.1.2.3',
        '172.31.0.1',
        '192.168.1.1',
        '0:0:0:0::/64',
        'fd00:1:2:3::/64',
      ])
        assert.equal(await countAdmitted(list(20, () => address)), 20, `${address} is private`);
      // 12 and 120 are counted already.
      assert.equal(await countAdmitted(list(1_000, (n) => `198.${n >> 8}.${n & 255}.1`)), 868, 'of all');
      assert.equal(await countAdmitted(['127.0.0.1']), 0);
      clock.ms += 86_400_001;
      assert.equal(await countAdmitted(['203.0.113.1', '127.0.0.1']), 2, 'a day later');
    });

    it('stores 100 entries about failed sign-ins per account, 500 per network and 10,000 of all, per day', async () => {
      const { clock, throttle } = open(openCounts);
      const countStored = async (count: number, format: (n: number) => [string, string]): Promise<number> => {
        let stored = 0;
        for (let n = 0; n < count; n++) if (await throttle.consumeFailureEntry(...format(n))) stored += 1;
        return stored;
      };
      assert.equal(await countStored(120, (n) => [`198.51.${n}.1`, 'ann']), 100, 'of one account');
      assert.equal(
        await countStored(600, (n) => [`203.0.113.${n & 255}`, `unknown ${n}`]),
        500,
        'of a network',
      );
      assert.equal(await countStored(10_000, (n) => [`10.0.0.1`, `other ${n}`]), 9_400, 'of all');
      clock.ms += 86_400_001;
      assert.equal(await countStored(1, () => ['203.0.113.1', 'ann']), 1);
    });

    it('allows 5,000 requests per network and day, and 2,000 changes per account', async () => {
      const { clock, throttle } = open(openCounts);
      const countAdmitted = async (count: number, consume: (n: number) => Promise<void>): Promise<number> => {
        let admitted = 0;
        for (let n = 0; n < count; n++) {
          if (n % 120 === 0) clock.ms += 60_001;
          await consume(n).then(
            () => (admitted += 1),
            () => {},
          );
        }
        return admitted;
      };
      const request = (n: number) => throttle.consumeRequest(`203.0.113.${n & 255}`);
      assert.equal(await countAdmitted(5_100, request), 5_000);
      await throttle.consumeRequest('203.0.114.1');
      assert.equal(await countAdmitted(2_100, () => throttle.consumeChange('ann')), 2_000);
      await throttle.consumeChange('bob');
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
