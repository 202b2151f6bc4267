import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { createFailureThrottle } from './failure-throttle.ts';

function open() {
  const clock = { ms: 1_000_000 };
  const throttle = createFailureThrottle(() => clock.ms);
  /** Seconds to wait, 0 where an attempt is let through; it is taken back. */
  const readWait = (address: string, account: string): number => {
    try {
      throttle.beginAttempt(address, account).undo();
      return 0;
    } catch (error) {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, 'rate_limit_exceeded');
      return error.retryAfterSeconds ?? -1;
    }
  };
  /** Failures of an account from ever new addresses, each as soon as it is let in. */
  const fail = (account: string, times: number): void => {
    for (let n = 0; n < times; n++) {
      clock.ms += readWait('203.0.113.99', account) * 1000;
      throttle.beginAttempt(`192.0.2.${n}`, account);
    }
  };
  return { clock, throttle, readWait, fail };
}

describe('guessing is slowed down', () => {
  it('an account waits 1 s after its fifth failure, twice as long after each other, 15 minutes at most', () => {
    const { clock, throttle, readWait } = open();
    const waits: number[] = [];
    for (let n = 0; n < 18; n++) {
      throttle.beginAttempt(`192.0.2.${n}`, 'ann@example.com');
      const wait = readWait('198.51.100.1', 'ann@example.com');
      waits.push(wait);
      clock.ms += wait * 1000;
      assert.equal(readWait('198.51.100.1', 'ann@example.com'), 0, 'after the wait');
    }
    assert.deepEqual(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
    assert.equal(readWait('198.51.100.1', 'bob@example.com'), 0, 'another account');
  });

  it('an address waits for the end of its minute after 20 failures, whatever the accounts', () => {
    const { clock, throttle, readWait } = open();
    for (let n = 0; n < 20; n++) throttle.beginAttempt('192.0.2.1', `user${n}@example.com`);
    assert.equal(readWait('192.0.2.1', 'fresh@example.com'), 60);
    assert.equal(readWait('192.0.2.2', 'fresh@example.com'), 0);
    clock.ms += 59_001;
    assert.equal(readWait('192.0.2.1', 'fresh@example.com'), 1);
    clock.ms += 1_000;
    assert.equal(readWait('192.0.2.1', 'fresh@example.com'), 0);
  });

  it('of many attempts at once no more are let in than of one after the other', () => {
    const { throttle, readWait } = open();
    let letIn = 0;
    for (let n = 0; n < 50; n++) {
      if (readWait(`192.0.2.${n}`, 'ann@example.com') > 0) continue;
      throttle.beginAttempt(`192.0.2.${n}`, 'ann@example.com');
      letIn += 1;
    }
    assert.equal(letIn, 5);
  });

  it('an attempt that was not judged counts nothing', () => {
    const { throttle, readWait } = open();
    for (let n = 0; n < 50; n++) throttle.beginAttempt('192.0.2.1', 'ann@example.com').undo();
    assert.equal(readWait('192.0.2.1', 'ann@example.com'), 0);
  });

  it('strangers cannot keep an owner out: an address that signed in before does not wait for the account', () => {
    const { throttle, readWait, fail } = open();
    throttle.beginAttempt('203.0.113.5', 'ann@example.com').succeed();
    fail('ann@example.com', 12);
    assert.ok(readWait('192.0.2.200', 'ann@example.com') > 0);
    assert.equal(readWait('203.0.113.5', 'ann@example.com'), 0);
  });

  it('a success forgets the failures, and so does a day', () => {
    const { clock, throttle, readWait, fail } = open();
    fail('ann@example.com', 10);
    assert.ok(readWait('198.51.100.1', 'ann@example.com') > 0);
    clock.ms += 900_000;
    throttle.beginAttempt('198.51.100.2', 'ann@example.com').succeed();
    assert.equal(readWait('198.51.100.1', 'ann@example.com'), 0);
    fail('bob@example.com', 10);
    clock.ms += 24 * 3_600_000;
    throttle.beginAttempt('192.0.2.77', 'bob@example.com');
    assert.equal(readWait('198.51.100.1', 'bob@example.com'), 0);
  });

  it('an address asks for 30 sign-ups and mails a minute, an account gets 3 mails an hour', () => {
    const { clock, throttle } = open();
    for (let n = 0; n < 30; n++) throttle.takeRequest('192.0.2.1');
    assert.throws(() => throttle.takeRequest('192.0.2.1'), { code: 'rate_limit_exceeded' });
    throttle.takeRequest('192.0.2.2');
    assert.deepEqual(
      [1, 2, 3, 4].map(() => throttle.takeMail('ann@example.com', 'reset')),
      [true, true, true, false],
    );
    assert.ok(throttle.takeMail('ann@example.com', 'verification'), 'another kind');
    clock.ms += 3_600_000;
    throttle.takeRequest('192.0.2.1');
    assert.ok(throttle.takeMail('ann@example.com', 'reset'));
  });
});
