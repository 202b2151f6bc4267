/** The rate limit on a real Redis: the contract, leases and the window of the server's clock. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { WindowCounter } from '#limits';
import { seeded } from '../../support/random.ts';
import { skipRedis, startRedis, type RedisServer } from '../../support/redis.ts';
import { openReplica, openReplicas, type Replica } from '../../support/replicas.ts';
import { describeWindowCounter, MAX_KEYS } from '../../support/window-counter-contract.ts';
import { settlesInTurn } from '../../support/settles-in-turn.ts';

const skip = skipRedis;
const noon = Date.UTC(2026, 0, 1, 12);
let server: RedisServer;
let prefixes = 0;
const newPrefix = (): string => `test${(prefixes += 1)}:`;

before(async () => {
  if (!skip) server = await startRedis();
});
after(() => server?.[Symbol.asyncDispose]());

const opened = new Set<AsyncDisposable>();
after(() => Promise.all([...opened].map((replica) => replica[Symbol.asyncDispose]())));

/** Opens a counter whose server's clock shows the `nowMs` of the last request. */
function openAtGivenTimes(): WindowCounter {
  let nowMs = noon;
  const clock = (): number => nowMs;
  const url = server.url;
  const replica = openReplica({
    url,
    prefix: newPrefix(),
    serverTimeMs: clock,
    now: clock,
    maxKeys: MAX_KEYS,
  });
  return {
    tryConsume: () => null,
    async consume(key, limit, cost, atMs) {
      nowMs = atMs;
      const { counter } = await replica.then((found) => (opened.add(found), found));
      return counter.consume(key, limit, cost, atMs);
    },
  };
}

describeWindowCounter('Redis', openAtGivenTimes, skip);

/** Returns the calls of scripts that the server has counted. */
async function countCalls(): Promise<number> {
  const stats = await server.client.info('commandstats');
  return [...stats.matchAll(/cmdstat_evalsha:calls=(\d+)/g)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
}

/** Sends a request to each replica in `turns`, one after another; returns how many were admitted. */
async function sendInTurns(
  replicas: Replica[],
  key: string,
  limit: number,
  turns: number[],
): Promise<number> {
  let admitted = 0;
  for (const turn of turns) {
    const decision = await replicas[turn]?.counter.consume(key, limit, 1, Date.now());
    if (decision?.admitted) admitted += 1;
    assert.ok(decision && decision.remaining >= 0, 'Remaining is not negative');
    assert.ok(decision.remaining <= limit - admitted, `${decision.remaining} of ${limit - admitted} left`);
  }
  return admitted;
}

describe('three replicas on one Redis', { skip }, () => {
  const frozen = { serverTimeMs: () => noon };

  it('5,000 requests at once: exactly the limit are admitted', async () => {
    await using replicas = await openReplicas(3, { url: server.url, prefix: newPrefix(), ...frozen });
    for (const limit of [1, 60, 100, 101, 600, 4999]) {
      const decisions = await Promise.all(
        Array.from({ length: 5000 }, async (_, n) =>
          replicas[n % 3]?.counter.consume('k' + limit, limit, 1, noon),
        ),
      );
      assert.equal(decisions.filter((decision) => decision?.admitted).length, limit);
      assert.ok(
        decisions.every((decision) => decision && decision.remaining >= 0 && decision.remaining < limit),
      );
    }
  });

  const below = seeded(7);
  const splits: Record<string, (n: number) => number> = {
    even: (n) => n % 3,
    'one-sided': () => 0,
    moving: (n) => Math.floor(n / 250) % 3,
    bursty: (n) => [0, 0, 0, 0, 1, 0, 0, 2][Math.floor(n / 40) % 8] ?? 0,
    random: () => below(3),
    'one replica stops after a third': (n) => (n < 400 ? n % 3 : n % 2),
  };
  for (const [name, split] of Object.entries(splits))
    it(`${name} load: exactly the limit, Remaining never above what is left, at most one call in 10 requests`, async () => {
      await using replicas = await openReplicas(3, { url: server.url, prefix: newPrefix(), ...frozen });
      const calls = await countCalls();
      const turns = Array.from({ length: 1800 }, (_, n) => split(n));
      assert.equal(await sendInTurns(replicas, 'k', 1200, turns), 1200);
      const used = (await countCalls()) - calls;
      // The heartbeats of three replicas are among the calls.
      assert.ok(used < 180, `${used} calls`);
    });

  it('any sequence of concurrent requests with any costs: never above the limit, and the rest can be used', async () => {
    await using replicas = await openReplicas(3, { url: server.url, prefix: newPrefix(), ...frozen });
    for (let round = 0; round < 40; round++) {
      const limit = 1 + below(round % 2 ? 400 : 120);
      let admitted = 0;
      const send = async (cost: number, replica: number): Promise<boolean | undefined> => {
        const decision = await replicas[replica]?.counter.consume(`round${round}`, limit, cost, noon);
        if (decision?.admitted) admitted += cost;
        assert.ok(decision && decision.remaining >= 0);
        return decision.admitted;
      };
      for (let burst = 0; burst < 6; burst++)
        await Promise.all(Array.from({ length: below(60) }, () => send(below(9), below(3))));
      assert.ok(admitted <= limit, `${admitted} of ${limit}`);
      // Whichever replica asks: each unit that is left can be used, and no more.
      while (await send(1, below(3)));
      assert.equal(admitted, limit);
    }
  });

  it('an idle replica returns its lease when another one needs the units', async () => {
    await using replicas = await openReplicas(3, { url: server.url, prefix: newPrefix(), ...frozen });
    await sendInTurns(replicas, 'k', 6000, [1, 2]);
    const decisions = await Promise.all(
      Array.from({ length: 7000 }, async () => replicas[0]?.counter.consume('k', 6000, 1, noon)),
    );
    assert.equal(decisions.filter((decision) => decision?.admitted).length, 5998);
  });

  it('after the limit is reached, refusals need no call', async () => {
    await using replicas = await openReplicas(3, { url: server.url, prefix: newPrefix(), ...frozen });
    for (let n = 0; n < 60; n++) await replicas[0]?.counter.consume('k', 60, 1, noon);
    await replicas[1]?.counter.consume('k', 60, 1, noon);
    await endOfTurn();
    const decision = replicas[1]!.counter.consume('k', 60, 1, noon);
    assert.ok(await settlesInTurn(decision));
    assert.equal((await decision).admitted, false);
  });

  it('a replica that closes calls for keys with an unused lease only', async () => {
    const replica = await openReplica({ url: server.url, prefix: newPrefix(), ...frozen });
    for (let n = 0; n < 50; n++) await replica.counter.consume(`small${n}`, 60, 1, noon);
    for (let n = 0; n < 5; n++) await replica.counter.consume(`large${n}`, 600, 1, noon);
    const before = await countCalls();
    await replica.counter.close();
    const calls = (await countCalls()) - before;
    // A heartbeat may be among them.
    assert.ok(calls >= 5 && calls <= 6, `${calls} calls`);
    await replica.link.close();
  });

  it('a replica that closes returns its leases; one that is killed keeps a part of them until the minute ends', async () => {
    const options = { url: server.url, prefix: newPrefix(), ...frozen };
    await using rest = await openReplica(options);
    const closing = await openReplica(options);
    await closing.counter.consume('k', 400, 1, noon);
    await closing[Symbol.asyncDispose]();
    assert.equal((await rest.counter.consume('k', 400, 0, noon)).remaining, 399);
    const killed = await openReplica(options);
    await killed.counter.consume('l', 400, 1, noon);
    await killed.link.close();
    let admitted = 0;
    while ((await rest.counter.consume('l', 400, 1, noon)).admitted) admitted += 1;
    assert.ok(admitted >= 299 && admitted < 400, `${admitted} units`);
  });
});

describe('the window of the server’s clock', { skip }, () => {
  it('replicas whose clocks are an hour off admit the limit together, with a Retry-After within the minute', async () => {
    let serverMs = noon + 59_000;
    const options = { url: server.url, prefix: newPrefix(), serverTimeMs: () => serverMs };
    const skews = [-3_600_000, 0, 3_600_000];
    const replicas = await Promise.all(
      skews.map((skew) => openReplica({ ...options, now: () => serverMs + skew })),
    );
    for (const expected of [noon + 60_000, noon + 120_000]) {
      const decisions = await Promise.all(
        Array.from({ length: 300 }, async (_, n) =>
          replicas[n % 3]?.counter.consume('k', 60, 1, serverMs + (skews[n % 3] ?? 0)),
        ),
      );
      assert.equal(decisions.filter((decision) => decision?.admitted).length, 60);
      for (const decision of decisions) {
        assert.equal(decision?.resetAtSeconds, expected / 1000);
        assert.ok(decision.retryAfterSeconds >= 1 && decision.retryAfterSeconds <= 60);
      }
      serverMs += 60_000;
    }
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
  });

  it('a lease is not used after the server’s minute may have ended', async () => {
    let nowMs = noon + 50_000;
    const clock = (): number => nowMs;
    await using replica = await openReplica({
      url: server.url,
      prefix: newPrefix(),
      serverTimeMs: clock,
      now: clock,
    });
    assert.equal((await replica.counter.consume('k', 1000, 1, 0)).remaining, 999);
    await endOfTurn();
    assert.ok(await settlesInTurn(replica.counter.consume('k', 1000, 1, 0)), 'the lease needs no call');
    nowMs = noon + 59_999;
    const last = replica.counter.consume('k', 1000, 1, 0);
    assert.equal(await settlesInTurn(last), false, 'the millisecond before needs one');
    nowMs = noon + 60_000;
    const next = replica.counter.consume('k', 1000, 1, 0);
    assert.deepEqual([(await last).remaining, (await next).remaining], [997, 999]);
  });

  it('a server whose clock went back a little does not start the window again', async () => {
    let serverMs = noon + 60_000;
    await using replica = await openReplica({
      url: server.url,
      prefix: newPrefix(),
      serverTimeMs: () => serverMs,
    });
    for (let n = 0; n < 50; n++) await replica.counter.consume('k', 50, 1, 0);
    serverMs = noon + 59_000;
    replica.link.clock.observe(serverMs, replica.link.clock.now());
    assert.equal((await replica.counter.consume('k', 50, 1, 0)).admitted, false);
  });
});
