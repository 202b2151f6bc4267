import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computeCapacities, createShares, type ShareHolder, type Shares, withPlace } from '../index.ts';

const MIB = 1024 * 1024;
const account = (accountId: string, slots: number | null = null): ShareHolder => ({ accountId, slots });

let nowMs = 0;

function openShares(onRefusal?: (kind: string, reason: string) => void) {
  return createShares({
    onRefusal,
    capacities: computeCapacities({ pdfSlots: 4, egressConnections: 8, bodyMemoryMb: 96 }),
    maxBodyBytes: 40 * MIB,
    now: () => nowMs,
  });
}

describe('an account over its share', () => {
  it('429: is refused with the share’s name, its size and the time to try again', () => {
    const shares = openShares();
    for (let n = 0; n < 3; n += 1) shares.take('pageConnections', account('a'), 1);
    assert.throws(() => shares.take('pageConnections', account('a'), 1), {
      code: 'rate_limit_exceeded',
      retryAfterSeconds: 1,
      message:
        'Your account has used up its share of this server’s connections to pages (at most 3, less while other accounts need theirs): wait for some of its requests to end, then send this one again.',
    });
  });

  it('bytes of bodies are given in MB', () => {
    const shares = openShares();
    const place = shares.take('bodyBytes', account('a'), 20e6);
    shares.take('bodyBytes', account('a'), 20e6);
    assert.throws(() => place.resize(40e6), { message: /memory for request bodies \(at most 54 MB,/ });
  });

  it('413: a body that fits into no share is at fault itself', () => {
    const refusals: string[] = [];
    const shares = openShares((kind) => refusals.push(kind));
    const place = shares.take('bodyBytes', account('a'), 20e6);
    assert.throws(() => place.resize(96e6), {
      code: 'payload_too_large',
      message:
        'The request needs more than an account may ever use of this server’s memory for request bodies (54 MB): send less.',
    });
    assert.deepEqual(refusals, []);
  });

  it('503: accounts within their shares use the whole server, and the message says so', () => {
    const shares = openShares();
    for (const name of ['a', 'b', 'c', 'd']) shares.take('pageConnections', account(name), 1);
    assert.throws(() => shares.take('pageConnections', account('e'), 1), {
      code: 'overloaded',
      message:
        'This server is busy with other accounts, which use up its connections to pages, each within its share: try again after the number of seconds in Retry-After.',
    });
  });
});

describe('a small account waits for none of the backlog of a greedy one:', () => {
  for (const kind of ['pageConnections', 'browserPages', 'dnsLookups', 'parserThreads'] as const)
    for (const backlog of [10, 150])
      it(`${kind}, ${backlog} requests`, async () => {
        const shares = openShares();
        const left = new AbortController();
        const { signal } = left;
        const { capacity } = shares.getState(kind);
        const greedy = Array.from({ length: capacity + backlog }, () =>
          shares.acquire(kind, account('greedy'), { signal, maxWaitMs: Infinity }),
        );
        for (let n = 0; n < 20; n += 1) {
          const place = await shares.acquire(kind, account('small'));
          nowMs += 1;
          place.release();
        }
        assert.equal(shares.getState(kind).held, capacity - 1, 'the greedy one holds all but one');
        left.abort();
        await Promise.allSettled(greedy);
      });

  it('the next place of all is that of the account with the least use, whatever waits before it', async () => {
    const shares = openShares();
    const left = new AbortController();
    const holding = await Promise.all(
      ['greedy', 'other'].map((name) => shares.acquire('parserThreads', account(name))),
    );
    nowMs += 100;
    const wait = (name: string) =>
      shares.acquire('parserThreads', account(name), { signal: left.signal }).then(() => name);
    const backlog = Array.from({ length: 50 }, () => wait('greedy'));
    const next = Promise.race([...backlog, wait('small')]);
    holding[1]?.release(90);
    assert.equal(await next, 'small');
    left.abort();
    await Promise.allSettled(backlog);
  });
});

describe('the message of a refusal beside another account', () => {
  const OWN =
    /^Your account has used up its share of this server’s documents and pages rendered at once \(at most 3, less/;
  const OTHERS =
    /^Other accounts need their shares of this server’s documents and pages rendered at once, of which your account has 1 for now \(at most 3 while they are idle\): wait/;

  it('names the share of the account whose own requests are the cause', async () => {
    const refusals: string[] = [];
    const shares = openShares((kind, reason) => refusals.push(`${kind} ${reason}`));
    for (let n = 0; n < 3; n += 1) shares.take('browserPages', account('greedy'), 1);
    const small = shares.take('browserPages', account('small'), 1);
    assert.throws(() => shares.take('browserPages', account('greedy'), 1), { message: OWN });
    small.release();
    const left = new AbortController();
    const waiting = Array.from({ length: 201 }, () =>
      shares.acquire('browserPages', account('greedy'), { signal: left.signal }),
    );
    await assert.rejects(waiting[200]!, { code: 'rate_limit_exceeded', message: OWN });
    assert.deepEqual([...new Set(refusals)], ['browserPages share']);
    left.abort();
    await Promise.allSettled(waiting);
  });

  it('names the other accounts to one that has less than it could have alone', async () => {
    const shares = openShares();
    for (let n = 0; n < 2; n += 1) shares.take('browserPages', account('greedy'), 1);
    shares.take('browserPages', account('small'), 1);
    assert.throws(() => shares.take('browserPages', account('small'), 1), {
      code: 'rate_limit_exceeded',
      message: OTHERS,
    });
    await assert.rejects(shares.acquire('browserPages', account('small'), { maxWaitMs: 300 }), {
      code: 'overloaded',
      message: OTHERS,
    });
  });

  it('names the other accounts to one whose lent place they need', () => {
    const shares = openShares();
    const messages: string[] = [];
    for (let n = 0; n < 3; n += 1)
      shares.take('browserPages', account('lender'), 1, ({ message }) => messages.push(message));
    shares.take('browserPages', account('first'), 1);
    nowMs += 1_000;
    shares.take('browserPages', account('second'), 1);
    assert.equal(messages.length, 1);
    assert.match(messages[0] ?? '', OTHERS);
  });
});

describe('a plan with n browser pages', () => {
  it('allows n documents at once, and not one more', async () => {
    const shares = openShares();
    const holder = account('a', 2);
    await shares.acquire('browserPages', holder);
    await shares.acquire('browserPages', holder);
    const left = new AbortController();
    const third = shares.acquire('browserPages', holder, { signal: left.signal });
    assert.deepEqual(shares.getState('browserPages'), { capacity: 4, held: 2, queued: 1 });
    left.abort(new Error('left'));
    await assert.rejects(third, { message: 'left' });
  });

  it('allows 8 n other requests at once, of all operations together', () => {
    const shares = openShares();
    const holder = account('a', 1);
    for (let n = 0; n < 4; n += 1) shares.take('emailRequests', holder, 1);
    for (let n = 0; n < 4; n += 1) shares.take('metadataRequests', holder, 1);
    assert.throws(() => shares.take('emailRequests', holder, 1), {
      code: 'rate_limit_exceeded',
      message: /requests in progress besides the documents being rendered \(at most 8,/,
    });
    // The document that has the browser page is not one of the 8.
    const document = shares.take('pdfRequests', holder, 1);
    assert.throws(() => shares.take('pdfRequests', holder, 1), { code: 'rate_limit_exceeded' });
    document.release();
    shares.take('emailRequests', account('b', 1), 1);
  });

  it('has weight n beside other plans', () => {
    const shares = openShares();
    const reclaimed: string[] = [];
    for (let n = 0; n < 3; n += 1)
      shares.take('pageConnections', account('small', 1), 1, () => reclaimed.push('small'));
    nowMs += 1_000;
    for (let n = 0; n < 2; n += 1)
      shares.take('pageConnections', account('large', 2), 1, () => reclaimed.push('large'));
    assert.deepEqual(reclaimed, ['small', 'small']);
  });
});

describe('withPlace', () => {
  it('releases the place when the work succeeds or fails', async () => {
    const shares = openShares();
    const place = { kind: 'dnsLookups', holder: account('a'), signal: undefined } as const;
    assert.equal(await withPlace(shares, place, () => Promise.resolve(7)), 7);
    await assert.rejects(
      withPlace(shares, place, () => Promise.reject(new Error('x'))),
      { message: 'x' },
    );
    assert.equal(shares.getState('dnsLookups').held, 0);
  });

  it('waits as long as the kind allows, or as long as the request says', async () => {
    const asked: unknown[] = [];
    const shares: Pick<Shares, 'acquire'> = {
      acquire(kind, holder, { signal, maxWaitMs } = {}) {
        asked.push([kind, holder.accountId, signal, maxWaitMs]);
        return Promise.resolve({ resize() {}, release() {} });
      },
    };
    const { signal } = new AbortController();
    const place = { kind: 'dnsLookups', holder: account('a'), signal } as const;
    await withPlace(shares, place, () => Promise.resolve());
    await withPlace(shares, { ...place, maxWaitMs: 5 }, () => Promise.resolve());
    assert.deepEqual(asked, [
      ['dnsLookups', 'a', signal, undefined],
      ['dnsLookups', 'a', signal, 5],
    ]);
  });

  it('the signal aborts with the error to answer when the place is reclaimed', async () => {
    const shares = openShares();
    const place = { kind: 'pageConnections', holder: account('a'), signal: undefined } as const;
    const work = Array.from({ length: 3 }, () =>
      withPlace(
        shares,
        place,
        (signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      ).catch(({ code }: { code: string }) => code),
    );
    await new Promise(setImmediate);
    nowMs += 1_000;
    shares.take('pageConnections', account('b'), 1);
    shares.take('pageConnections', account('c'), 1);
    assert.equal(await Promise.race(work), 'overloaded');
    assert.equal(shares.getState('pageConnections').held, 4);
  });
});

describe('the weight of a plan', () => {
  it('decides how much an account keeps while others are active, whatever its slots', () => {
    const shares = createShares({
      capacities: computeCapacities({ pdfSlots: 4, egressConnections: 64, bodyMemoryMb: 96 }),
      maxBodyBytes: 40 * MIB,
      now: () => nowMs,
    });
    const fill = (accountId: string, weight: number): number => {
      // Lent places can be reclaimed.
      nowMs += 1_000;
      for (let held = 0; ; held += 1)
        try {
          shares.take('pageConnections', { accountId, slots: null, weight }, 1, () => {});
        } catch {
          return held;
        }
    };
    assert.equal(fill('business', 16), 31, 'alone');
    assert.equal(fill('free', 1), 1, '31 × 1/17, at least one');
    assert.equal(fill('pro', 4), 5, '31 × 4/21');
  });
});

/** Renders of one second each, on a clock that moves from the end of one to the next. */
function openRenders(shares: Shares) {
  const running: { endsAtMs: number; end: () => void }[] = [];
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return {
    /** Renders one document. Resolves to its wait in milliseconds. */
    async render(holder: ShareHolder): Promise<number> {
      const askedAtMs = nowMs;
      const place = await shares.acquire('browserPages', holder);
      const waitedMs = nowMs - askedAtMs;
      await new Promise<void>((resolve) => running.push({ endsAtMs: nowMs + 1_000, end: resolve }));
      place.release();
      return waitedMs;
    },
    async advance(): Promise<void> {
      await settle();
      running.sort((a, b) => a.endsAtMs - b.endsAtMs);
      const next = running.shift();
      assert.ok(next, 'nothing runs');
      nowMs = next.endsAtMs;
      next.end();
      await settle();
    },
  };
}

describe('unproven accounts', () => {
  const stranger = (n: number): ShareHolder => ({
    accountId: `stranger ${n}`,
    slots: null,
    weight: 1,
    isUnproven: true,
  });
  const business: ShareHolder = { accountId: 'business', slots: null, weight: 16 };

  it('render one document at a time each, and more once they are proven', () => {
    const shares = openShares();
    shares.take('browserPages', stranger(1), 1);
    assert.throws(() => shares.take('browserPages', stranger(1), 1), {
      code: 'rate_limit_exceeded',
      message:
        /\(at most 1,.* requests to end, or verify its email address, so that it has a share of its own, then/,
    });
    const proven = { ...stranger(1), isUnproven: false, slots: 1 };
    shares.take('browserPages', proven, 1);
    assert.throws(() => shares.take('browserPages', proven, 1), { message: /requests to end, then send/ });
  });

  it('have one share together: 50 of them hold one place while another account needs its own', () => {
    const shares = openShares();
    let lost = 0;
    for (let n = 0; n < 3; n += 1) shares.take('browserPages', stranger(n), 1, () => (lost += 1));
    nowMs += 5_000;
    const held = Array.from({ length: 2 }, () => shares.take('browserPages', business, 1));
    assert.equal(lost, 2);
    assert.throws(() => shares.take('browserPages', stranger(4), 1), { code: 'rate_limit_exceeded' });
    for (const place of held) place.release();
  });

  it('wait behind one another: with 50 of them, a business account renders as with one', async () => {
    const shares = openShares();
    const { render, advance } = openRenders(shares);
    const state = { isOver: false };
    const served = new Set<number>();
    const strangers = Array.from({ length: 50 }, async (_, n) => {
      // One that is refused asks again later.
      while (!state.isOver)
        await render(stranger(n)).then(
          () => served.add(n),
          () => new Promise(setImmediate),
        );
    });
    const waits: number[] = [];
    const work = Array.from({ length: 3 }, async () => {
      for (let n = 0; n < 20; n += 1) waits.push(await render(business));
    });
    const all = Promise.all(work).then(() => (state.isOver = true));
    while (!state.isOver) await advance();
    await all;
    assert.equal(waits.length, 60);
    assert.ok(Math.max(...waits) <= 2_000, `the longest wait is ${Math.max(...waits)} ms`);
    assert.ok(served.size > 5, `${served.size} of ${strangers.length} strangers rendered too`);
  });

  it('take turns: the one that rendered least is next', async () => {
    const shares = openShares();
    const { render, advance } = openRenders(shares);
    const started: string[] = [];
    const ask = (n: number): void => void render(stranger(n)).then(() => started.push(`${n}`));
    // The first one has rendered more than the second one, which was served after it.
    for (const n of [1, 1, 1, 2]) {
      ask(n);
      await advance();
    }
    for (const n of [4, 5, 6]) ask(n);
    ask(1);
    ask(2);
    for (let round = 0; round < 5; round += 1) await advance();
    assert.deepEqual(started, ['1', '1', '1', '2', '4', '5', '6', '2', '1']);
  });

  it('take the places of one another that one of them holds, until they hold equal parts', async () => {
    const shares = openShares();
    const reclaimed: string[] = [];
    const take = (n: number) => () =>
      shares.take('pageConnections', stranger(n), 1, ({ message }) => void reclaimed.push(`${n} ${message}`));
    Array.from({ length: 3 }, take(1));
    assert.throws(take(2), {
      code: 'rate_limit_exceeded',
      message: /of which your account has 0 for now.* or verify its email/,
    });
    nowMs += 500;
    await shares.acquire('pageConnections', stranger(2));
    assert.equal(reclaimed.length, 1);
    assert.match(reclaimed[0] ?? '', /^1 Other accounts need/);
    nowMs += 500;
    // 2 of 3 are as equal as can be.
    assert.throws(take(2), { code: 'rate_limit_exceeded' });
  });

  it('wait for one job of the other at most where no place is reclaimed', async () => {
    const shares = openShares();
    const order: number[] = [];
    const run = (n: number) =>
      shares.acquire('parserThreads', stranger(n)).then((place) => {
        order.push(n);
        return place;
      });
    const greedy = Array.from({ length: 50 }, () => run(1));
    const small = run(2);
    nowMs += 1_000;
    (await greedy[0])?.release();
    await new Promise(setImmediate);
    assert.deepEqual(order, [1, 2]);
    (await small).release();
    for (const one of greedy) (await one).release();
  });

  it('keep a place that would not make room for another of them', () => {
    const shares = openShares();
    let lost = 0;
    for (let n = 0; n < 2; n += 1) shares.take('pageConnections', stranger(1), 1, () => (lost += 1));
    for (const name of ['a', 'b']) shares.take('pageConnections', { ...business, accountId: name }, 1);
    nowMs += 5_000;
    assert.throws(() => shares.take('pageConnections', stranger(2), 1), { code: 'rate_limit_exceeded' });
    assert.equal(lost, 0);
  });

  it('wait if they hold nothing, however slow their documents were', async () => {
    const shares = openShares();
    for (let n = 0; n < 20; n += 1) {
      const slow = shares.take('browserPages', stranger(1), 1);
      nowMs += 15_000;
      slow.release();
    }
    const others = [2, 3, 4].map((n) => shares.take('browserPages', stranger(n), 1));
    const waiting = shares.acquire('browserPages', stranger(1));
    others[0]?.release();
    (await waiting).release();
  });

  it('lose the last request of the one with the most when their queue is full', async () => {
    const shares = openShares();
    for (const n of [1, 2, 3]) shares.take('browserPages', stranger(n), 1);
    const left = new AbortController();
    const { signal } = left;
    const refused: string[] = [];
    const wait = (n: number): void =>
      void shares
        .acquire('browserPages', stranger(n), { signal, maxWaitMs: Infinity })
        .catch(({ code }: { code: string }) => refused.push(`${n} ${code}`));
    for (const [n, requests] of [70, 60, 70].entries()) for (let k = 0; k < requests; k += 1) wait(10 + n);
    wait(20);
    await new Promise(setImmediate);
    const { queued } = shares.getState('browserPages');
    // Those that wait would keep the process alive.
    left.abort();
    assert.deepEqual([refused, queued], [['10 overloaded'], 200]);
  });
});
