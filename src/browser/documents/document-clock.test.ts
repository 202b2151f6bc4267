import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Page } from '../pages/page.ts';
import { VirtualTime } from '../pages/virtual-time.ts';
import { DocumentClock, type DocumentLimits } from './document-clock.ts';

const SECOND_MS = 1_000;
/** The wait of the clock is no shorter. */
const TICK_MS = 50;

/** A clock of a page whose time stands still until it is granted without regard to requests. */
function openStalled(
  context: TestContext,
  {
    inFlight,
    onNoResponse = 'end',
    isLayingOut = false,
  }: { inFlight: number; onNoResponse?: DocumentLimits['onNoResponse']; isLayingOut?: boolean },
) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const policies: string[] = [];
  let nowMs = 0;
  const session = {
    whenLost: new Promise<never>(() => {}),
    lossReason: null,
    send: async () => ({ virtualTimeTicksBase: 0 }),
    sendAndForget(_method: string, params?: unknown) {
      const { policy } = params as { policy: string };
      policies.push(policy);
      if (policy === 'advance') time.expire();
    },
  };
  const time = new VirtualTime(session);
  const page = {
    ...session,
    time,
    workers: { count: 0, refused: 0, ping: async () => {} },
    evaluate: async () => 0,
    isLayingOut: () => isLayingOut,
  };
  const clock = new DocumentClock(
    page as unknown as Page,
    { inFlight, started: inFlight },
    {
      settleMs: 10 * SECOND_MS,
      longestSettleMs: 25 * SECOND_MS,
      now: () => nowMs,
      onNoResponse,
    },
  );
  /** Advances the document's time by a second. Returns the seconds of real time that this took. */
  const advance = async (): Promise<{ isInTime: boolean; seconds: number }> => {
    const results: boolean[] = [];
    void clock.advance(SECOND_MS).then((isInTime) => results.push(isInTime));
    let seconds = 0;
    for (await setImmediate(); results.length === 0 && seconds < 60; await setImmediate()) {
      seconds += TICK_MS / SECOND_MS;
      nowMs += TICK_MS;
      context.mock.timers.tick(TICK_MS);
    }
    return { isInTime: results[0] ?? false, seconds: Math.round(seconds) };
  };
  return { clock, policies, advance };
}

describe('the time of a document that stands still', () => {
  it('passes after two checks if no request is in flight', async (context) => {
    const { clock, policies, advance } = openStalled(context, { inFlight: 0 });
    assert.deepEqual(await advance(), { isInTime: true, seconds: 2 });
    assert.equal(policies.at(-1), 'advance');
    assert.ok(clock.isInTime);
  });

  it('waits for a request before the load event until the document’s real time is over', async (context) => {
    const { policies, advance } = openStalled(context, { inFlight: 1 });
    assert.deepEqual(await advance(), { isInTime: false, seconds: 10 });
    assert.equal(policies.at(-1), 'pause');
    assert.ok(!policies.includes('advance'));
  });

  it('has more real time while its pages are laid out, up to a limit', async (context) => {
    const { advance } = openStalled(context, { inFlight: 1, isLayingOut: true });
    assert.deepEqual(await advance(), { isInTime: false, seconds: 25 });
  });

  it('ends after four seconds without a response once the document has loaded', async (context) => {
    const { clock, policies, advance } = openStalled(context, { inFlight: 1 });
    clock.isLoaded = true;
    const { isInTime, seconds } = await advance();
    assert.equal(isInTime, false);
    assert.ok(seconds >= 4 && seconds <= 5, `${seconds} s`);
    assert.equal(policies.at(-1), 'pause');
    assert.ok(!clock.isInTime);
  });

  it('waits on for the requests of a page of the web, which have a limit of their own', async (context) => {
    const { clock, policies, advance } = openStalled(context, { inFlight: 1, onNoResponse: 'wait' });
    clock.isLoaded = true;
    assert.deepEqual(await advance(), { isInTime: false, seconds: 10 });
    assert.ok(!policies.includes('advance'));
  });
});
