import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { createFailureThrottle } from './failure-throttle.ts';

function open() {
  const clock = { ms: 1_000_000 };
  const throttle = createFailureThrottle(() => clock.ms);
  /** Returns the seconds that an attempt has to wait, 0 if it is accepted; the attempt is undone. */
  const computeWait = (address: string, account: string): number => {
    try {
      throttle.beginAttempt(address, account).undo();
      return 0;
    } catch (error) {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, 'rate_limit_exceeded');
      return error.retryAfterSeconds ?? -1;
    }
  };
  /** Fails attempts at an account from different addresses, each as soon as it is accepted. */
  const fail = (account: string, times: number): void => {
    for (let n = 0; n < times; n++) {
      clock.ms += computeWait('203.0.113.99', account) * 1000;
      throttle.beginAttempt(`192.0.2.${n}`, account);
    }
  };
  return { clock, throttle, computeWait, fail };
}

describe('the throttle of password guessing', () => {
  it('delays an account by 1 s after its fifth failure, then twice as long after each failure, up to 15 minutes', () => {
    const { clock, throttle, computeWait } = open();
    const waits: number[] = [];
    for (let n = 0; n < 18; n++) {
      throttle.beginAttempt(`192.0.2.${n}`, 'ann@example.com');
      const wait = computeWait('198.51.100.1', 'ann@example.com');
      waits.push(wait);
      clock.ms += wait * 1000;
      assert.equal(computeWait('198.51.100.1', 'ann@example.com'), 0, 'after the wait');
    }
    assert.deepEqual(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
    assert.equal(computeWait('198.51.100.1', 'bob@example.com'), 0, 'another account');
  });

  it('delays an address with 20 failures, at any accounts, until its minute ends', () => {
    const { clock, throttle, computeWait } = open();
    for (let n = 0; n < 20; n++) throttle.beginAttempt('192.0.2.1', `user${n}@example.com`);
    assert.equal(computeWait('192.0.2.1', 'fresh@example.com'), 60);
    assert.equal(computeWait('192.0.2.2', 'fresh@example.com'), 0);
    clock.ms += 59_001;
    assert.equal(computeWait('192.0.2.1', 'fresh@example.com'), 1);
    clock.ms += 1_000;
    assert.equal(computeWait('192.0.2.1', 'fresh@example.com'), 0);
  });

  it('accepts as many concurrent attempts as consecutive ones', () => {
    const { throttle, computeWait } = open();
    let accepted = 0;
    for (let n = 0; n < 50; n++) {
      if (computeWait(`192.0.2.${n}`, 'ann@example.com') > 0) continue;
      throttle.beginAttempt(`192.0.2.${n}`, 'ann@example.com');
      accepted += 1;
    }
    assert.equal(accepted, 5);
  });

  it('does not count an attempt whose password was not verified', () => {
    const { throttle, computeWait } = open();
    for (let n = 0; n < 50; n++) throttle.beginAttempt('192.0.2.1', 'ann@example.com').undo();
    assert.equal(computeWait('192.0.2.1', 'ann@example.com'), 0);
  });

  it('does not delay an address that signed in before: strangers cannot lock out an owner', () => {
    const { throttle, computeWait, fail } = open();
    throttle.beginAttempt('203.0.113.5', 'ann@example.com').succeed();
    fail('ann@example.com', 12);
    assert.ok(computeWait('192.0.2.200', 'ann@example.com') > 0);
    assert.equal(computeWait('203.0.113.5', 'ann@example.com'), 0);
  });

  it('clears the failures after a success, and after a day', () => {
    const { clock, throttle, computeWait, fail } = open();
    fail('ann@example.com', 10);
    assert.ok(computeWait('198.51.100.1', 'ann@example.com') > 0);
    clock.ms += 900_000;
    throttle.beginAttempt('198.51.100.2', 'ann@example.com').succeed();
    assert.equal(computeWait('198.51.100.1', 'ann@example.com'), 0);
    fail('bob@example.com', 10);
    clock.ms += 24 * 3_600_000;
    throttle.beginAttempt('192.0.2.77', 'bob@example.com');
    assert.equal(computeWait('198.51.100.1', 'bob@example.com'), 0);
  });

  it('allows 30 sign-ups and mails per address and minute, 3 mails per account, kind and hour', () => {
    const { clock, throttle } = open();
    for (let n = 0; n < 30; n++) throttle.consumeRequest('192.0.2.1');
    assert.throws(() => throttle.consumeRequest('192.0.2.1'), { code: 'rate_limit_exceeded' });
    throttle.consumeRequest('192.0.2.2');
    assert.deepEqual(
      [1, 2, 3, 4].map(() => throttle.consumeMail('ann@example.com', 'reset')),
      [true, true, true, false],
    );
    assert.ok(throttle.consumeMail('ann@example.com', 'verification'), 'another kind');
    clock.ms += 3_600_000;
    throttle.consumeRequest('192.0.2.1');
    assert.ok(throttle.consumeMail('ann@example.com', 'reset'));
  });
});
