import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Caller } from '#accounts';
import { ApiError } from '#errors';
import { createMemoryWindowCounter } from '#limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type AdmitDeps,
  consumeUnits,
  countRefusal,
  createAdmission,
  setDefaultLimitHeaders,
} from './admit-request.ts';

const NOON = Date.UTC(2030, 0, 1, 12);
const MINUTE_MS = 60_000;
const RESET = String((NOON + MINUTE_MS) / 1_000);

/** The members of these keys' callers that replace the defaults. */
const callers: Record<string, object> = {
  key: {},
  narrow: { operations: ['getMetadata'] },
  distant: { clientNetworks: { contains: () => false } },
  near: { clientNetworks: { contains: () => true } },
};

function findCaller(secret: string): Caller | null {
  if (!Object.hasOwn(callers, secret)) return null;
  const caller = { limitId: secret, limitPerMinute: 2, operations: null, clientNetworks: null };
  return { ...caller, ...callers[secret] } as unknown as Caller;
}

/** Opens admission for the keys of `callers`, with two requests a minute for each key and address. */
function open(changes: Partial<AdmitDeps> = {}) {
  let now = NOON;
  const deps: AdmitDeps = {
    findCaller: changes.authenticate ? () => null : findCaller,
    authenticate: async (secret) => findCaller(secret),
    keyWindows: createMemoryWindowCounter(),
    addressWindows: createMemoryWindowCounter(),
    unauthenticatedPerMinute: 2,
    now: () => now,
    ...changes,
  };
  const { admit, tryAdmit } = createAdmission(deps);
  /** Admits a request; the outcome is 200 or the error, and the numbers of its X-RateLimit headers. */
  const send = async (key: unknown, { ip = '192.0.2.1', config = {} } = {}) => {
    const { request, reply, getHeaders } = createRequest(key, ip, config);
    let error: unknown = null;
    try {
      if (!tryAdmit(request, reply)) await admit(request, reply);
    } catch (thrown) {
      error = thrown;
    }
    const outcome = error === null ? 'admitted' : error instanceof ApiError ? error.code : 'failed';
    return { request, reply, getHeaders, error, outcome };
  };
  return { deps, send, setNow: (ms: number) => (now = ms) };
}

function createRequest(key: unknown, ip: string, config: { operation?: string; countsItself?: boolean }) {
  const headers = new Map<string, string>();
  const request = {
    headers: { 'x-api-key': key },
    ip,
    routeOptions: { config: { operation: 'validateEmail', ...config } },
    caller: null,
    isCounted: false,
  } as unknown as FastifyRequest;
  const reply = {
    header: (name: string, value: number) => headers.set(name, String(value)),
    hasHeader: (name: string) => headers.has(name),
  } as unknown as FastifyReply;
  const getHeaders = () => [...headers].map(([name, value]) => [name.replace('x-ratelimit-', ''), value]);
  return { request, reply, getHeaders };
}

const limits = (limit: number, remaining: number, seconds = 60) => [
  ['limit', String(limit)],
  ['remaining', String(remaining)],
  ['reset', RESET],
  ['ratelimit-policy', `"default";q=${limit};w=60`],
  ['ratelimit', `"default";r=${remaining};t=${seconds}`],
];

describe('the admission of a request', () => {
  it('counts it against the limit of its key', async () => {
    const { send } = open();
    for (const [outcome, remaining] of [
      ['admitted', 1],
      ['admitted', 0],
      ['rate_limit_exceeded', 0],
    ] as const) {
      const sent = await send('key');
      assert.deepEqual([sent.outcome, sent.getHeaders()], [outcome, limits(2, remaining)]);
      assert.equal(sent.request.isCounted, true);
      assert.equal(sent.request.caller?.limitId, 'key');
      assert.equal(sent.request.operation, 'validateEmail');
    }
    assert.equal((await send('near')).outcome, 'admitted', 'another key');
  });

  it('works the same if the key or the count is not in memory', async () => {
    const known = open().deps;
    const { send } = open({
      authenticate: known.authenticate,
      findCaller: () => null,
      keyWindows: { consume: known.keyWindows.consume, tryConsume: () => null },
    });
    const outcomes = [];
    for (const key of ['key', 'key', 'key', 'wrong']) outcomes.push((await send(key)).outcome);
    assert.deepEqual(outcomes, ['admitted', 'admitted', 'rate_limit_exceeded', 'unauthorized']);
  });

  it('without a key that is valid counts against its address', async () => {
    for (const key of [undefined, '', ['key'], 'wrong', 'distant']) {
      const { send } = open();
      for (const [outcome, remaining] of [
        ['unauthorized', 1],
        ['unauthorized', 0],
        ['rate_limit_exceeded', 0],
      ] as const) {
        const sent = await send(key);
        assert.deepEqual([sent.outcome, sent.getHeaders()], [outcome, limits(2, remaining)]);
        assert.equal(sent.request.caller, null);
      }
      assert.equal((await send(key, { ip: '192.0.2.2' })).outcome, 'unauthorized', 'another address');
      assert.equal((await send('key')).outcome, 'admitted');
    }
  });

  it('that fails counts against nothing', async () => {
    const { send } = open({ authenticate: () => Promise.reject(new Error('away')) });
    for (let times = 0; times < 3; times += 1) {
      const sent = await send('key');
      assert.deepEqual([sent.outcome, sent.getHeaders()], ['failed', limits(2, 2)]);
    }
  });

  it('is refused for operations that its key may not call; this counts', async () => {
    const { send } = open();
    const sent = await send('narrow');
    assert.deepEqual([sent.outcome, sent.getHeaders()], ['unauthorized', limits(2, 1)]);
    assert.equal((await send('narrow', { config: { operation: 'getMetadata' } })).outcome, 'admitted');
    const other = open();
    assert.equal(
      (await other.send('narrow', { config: { operation: undefined } })).outcome,
      'admitted',
      'a path without an operation',
    );
  });

  it('says how long to wait: at least a second', async () => {
    const { send, setNow } = open();
    for (let used = 0; used < 2; used += 1) await send('key');
    for (const [ms, seconds] of [
      [0, 60],
      [1, 60],
      [1_000, 59],
      [58_999, 2],
      [59_000, 1],
      [59_999, 1],
    ] as const) {
      setNow(NOON + ms);
      const { error } = await send('key');
      assert.equal((error as ApiError).retryAfterSeconds, seconds, `after ${ms} ms`);
    }
  });

  it('says to wait a whole second in the last milliseconds of the window', async () => {
    const { send } = open({ now: () => NOON + MINUTE_MS - 1 });
    for (let used = 0; used < 2; used += 1) await send('key');
    const { error } = await send('key');
    assert.equal((error as ApiError).retryAfterSeconds, 1);
  });
});

describe('a request that counts itself', () => {
  const config = { countsItself: true };

  it('is admitted if one unit is left, and then counts all of its units or none', async () => {
    const { deps, send } = open();
    const { outcome, request, reply, getHeaders } = await send('key', { config });
    assert.deepEqual([outcome, getHeaders(), request.isCounted], ['admitted', limits(2, 2), false]);
    await assert.rejects(consumeUnits(deps, request, reply, 3), { code: 'rate_limit_exceeded' });
    assert.deepEqual(getHeaders(), limits(2, 2));
    await consumeUnits(deps, request, reply, 2);
    assert.deepEqual([getHeaders(), request.isCounted], [limits(2, 0), true]);
    const refused = await send('key', { config });
    assert.deepEqual([refused.outcome, refused.request.isCounted], ['rate_limit_exceeded', true]);
  });

  it('counts one unit if it is refused before, once', async () => {
    const { deps, send } = open();
    const { request, reply, getHeaders } = await send('key', { config });
    for (let times = 0; times < 2; times += 1) {
      await countRefusal(deps, request, reply);
      assert.deepEqual(getHeaders(), limits(2, 1));
    }
    const late = await send('key', { config });
    await send('key');
    await countRefusal(deps, late.request, late.reply);
    assert.deepEqual(late.getHeaders(), limits(2, 0), 'the last unit was used meanwhile');
    const unknown = await send('wrong', { config });
    await countRefusal(deps, unknown.request, unknown.reply);
    assert.deepEqual(unknown.getHeaders(), limits(2, 1), 'that of its address');
    await assert.rejects(consumeUnits(deps, unknown.request, unknown.reply, 1), { code: 'unauthorized' });
  });
});

describe('a request of an account with a monthly quota', () => {
  /** Opens admission with a quota of two units for each account, which the test may raise. */
  function openWithQuota(callers: Partial<AdmitDeps> = {}) {
    const used = { units: 0 };
    const known = open().deps;
    const quotas: AdmitDeps['quotas'] = {
      async consume(_accountId, quota, cost, nowMs) {
        const admitted = used.units + Math.max(cost, 1) <= quota;
        if (admitted) used.units += cost;
        const remaining = Math.max(0, quota - used.units);
        return { admitted, quota, remaining, resetsAtMs: nowMs + 90_000, retryAfterSeconds: 90 };
      },
      release: (_accountId, units) => void (used.units -= units),
    };
    const authenticate = async (secret: string): Promise<Caller | null> => {
      const caller = await known.authenticate(secret);
      return caller && { ...caller, accountId: 'acc', monthlyQuota: 3 };
    };
    return { used, ...open({ authenticate, quotas, ...callers }) };
  }

  it('uses nothing of the rate limit if the quota refuses it, and nothing of the quota if the limit does', async () => {
    const { used, send } = openWithQuota();
    for (const outcome of ['admitted', 'admitted', 'rate_limit_exceeded'])
      assert.equal((await send('key')).outcome, outcome);
    assert.equal(used.units, 2);
    const other = await send('near');
    assert.deepEqual([other.outcome, other.getHeaders(), used.units], ['admitted', limits(2, 1), 3]);
    const refused = await send('near');
    assert.deepEqual([refused.outcome, refused.getHeaders()], ['rate_limit_exceeded', limits(2, 1)]);
    assert.deepEqual([refused.request.isCounted, refused.request.units], [true, undefined]);
    assert.equal((refused.error as ApiError).retryAfterSeconds, 90);
  });

  it('is decided the same if its count is not in memory', async () => {
    const { deps } = openWithQuota();
    const consume: NonNullable<AdmitDeps['quotas']>['consume'] = async (...use) =>
      deps.quotas?.consume(...use) ?? assert.fail();
    const { send } = openWithQuota({ quotas: { consume, release: () => {} } });
    const outcomes = [];
    for (const key of ['key', 'key', 'near', 'near']) outcomes.push((await send(key)).outcome);
    assert.deepEqual(outcomes, ['admitted', 'admitted', 'admitted', 'rate_limit_exceeded']);
  });

  it('that counts itself counts all of its units or none', async () => {
    const { deps, used, send } = openWithQuota();
    used.units = 2;
    const { request, reply, getHeaders } = await send('key', { config: { countsItself: true } });
    await assert.rejects(consumeUnits(deps, request, reply, 2), /needs 2 requests of the monthly quota/);
    assert.deepEqual([used.units, getHeaders()], [2, limits(2, 2)]);
    await consumeUnits(deps, request, reply, 1);
    assert.deepEqual([used.units, getHeaders(), request.units], [3, limits(2, 1), 1]);
  });
});

describe('a request that could not be counted', () => {
  it('has the limit headers of one that used nothing', () => {
    const { deps } = open();
    const { request, reply, getHeaders } = createRequest('key', '192.0.2.1', {});
    setDefaultLimitHeaders({ ...deps, unauthenticatedPerMinute: 7 }, request, reply);
    assert.deepEqual(getHeaders(), limits(7, 7));
    setDefaultLimitHeaders(deps, request, reply);
    assert.deepEqual(getHeaders(), limits(7, 7), 'set once');
    const known = createRequest('key', '192.0.2.1', {});
    known.request.caller = { limitPerMinute: 5 } as Caller;
    setDefaultLimitHeaders({ ...deps, now: () => NOON + MINUTE_MS - 1 }, known.request, known.reply);
    assert.deepEqual(known.getHeaders(), limits(5, 5, 1));
  });
});
