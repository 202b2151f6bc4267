import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import {
  type ApiKey,
  ClientNetworks,
  type KeyGrant,
  type KeyWatch,
  createKeySecret,
  hashKeySecret,
  parseClientCidr,
} from './api-key.ts';
import { type Entry, KeyCache, createKeyAuthenticator, isFresh, isUsable } from './authenticate-key.ts';
import { settlesInTurn } from '../../../test/support/settles-in-turn.ts';

const QUERIED = 1_000_000;

function createEntry(watch: KeyWatch, accountId: string | null = 'acc'): Entry {
  const caller = accountId === null ? null : ({ accountId } as NonNullable<Entry['caller']>);
  return { caller, expiresAtMs: Infinity, queriedAtMs: QUERIED, watch, isForgotten: false };
}

/** Returns the milliseconds after the query until which the entry is fresh, and usable if a query fails. */
function measure(entry: Entry): [number, number] {
  const until = (holds: (entry: Entry, nowMs: number) => boolean): number => {
    let ms = 0;
    while (ms < 300_000 && holds(entry, QUERIED + ms)) ms += 1_000;
    return ms;
  };
  return [until(isFresh), until(isUsable)];
}

describe('a cached key', () => {
  it('is queried again after 4 s without a watch, and usable for 60 s if the query fails', () => {
    assert.deepEqual(measure(createEntry({ confirmedAtMs: 0, isEnded: false })), [4_000, 60_000]);
  });

  it('is fresh for 4 s after the last confirmation, but no longer than 60 s, and then usable for 60 s', () => {
    const confirm = (ms: number) => createEntry({ confirmedAtMs: QUERIED + ms, isEnded: false });
    assert.deepEqual(measure(confirm(20_000)), [24_000, 80_000]);
    assert.deepEqual(measure(confirm(59_000)), [60_000, 119_000]);
  });

  it('is queried again at once when its watch has ended, and then usable since the last confirmation', () => {
    assert.deepEqual(measure(createEntry({ confirmedAtMs: QUERIED + 20_000, isEnded: true })), [0, 80_000]);
  });

  it('is neither fresh nor usable after its account was changed; those of other accounts are', () => {
    const cache = new KeyCache();
    const watch = { confirmedAtMs: 0, isEnded: false };
    const [changed, other, unknown] = [
      createEntry(watch),
      createEntry(watch, 'other'),
      createEntry(watch, null),
    ];
    for (const [hash, entry] of Object.entries({ changed, other, unknown })) cache.set(hash, entry);
    cache.forget('acc');
    assert.deepEqual(measure(changed), [0, 0]);
    assert.deepEqual(measure(other), [4_000, 60_000]);
    assert.equal(cache.get('other'), other);
    assert.equal(cache.get('unknown'), undefined, 'it may have been created');
    assert.equal(cache.changes, 1);
    cache.forget(null);
    assert.deepEqual(measure(other), [0, 0]);
    assert.equal(cache.get('other'), undefined);
  });

  it('is found by its account after others of the account were evicted or replaced', () => {
    const cache = new KeyCache(2);
    const watch = { confirmedAtMs: 0, isEnded: false };
    const [first, second, third, again] = [0, 1, 2, 3].map(() => createEntry(watch));
    cache.set('first', first!);
    cache.set('second', second!);
    cache.set('third', third!);
    cache.set('third', again!);
    assert.equal(cache.get('first'), undefined);
    cache.forget('acc');
    assert.deepEqual(
      [second, again].map((entry) => entry?.isForgotten),
      [true, true],
    );
  });
});

const plans = new Map([
  ['free', { limitPerMinute: 60, slots: 2 }],
  ['pro', { limitPerMinute: 600, slots: null, weight: 4 }],
]);

/**
 * Returns an authenticator on a store of one key; the test sets its grant and failures and counts queries.
 */
function openStore(changes: Partial<ApiKey> = {}) {
  const secret = createKeySecret();
  const key: ApiKey = {
    id: 'key_1',
    accountId: 'acc_1',
    limitId: 'key_0',
    name: 'k',
    prefix: '',
    lastFour: '',
    operations: null,
    clientCidrs: null,
    createdAtMs: 0,
    lastUsedAtMs: null,
    expiresAtMs: null,
    revokedAtMs: null,
    rotatedTo: null,
    ...changes,
  };
  const state = {
    grant: { key, plan: 'pro', disabled: false, unproven: true } as KeyGrant | null,
    isFailing: false,
    queries: 0,
    hold: null as Promise<void> | null,
  };
  const find = async (matches: boolean): Promise<KeyGrant | null> => {
    state.queries += 1;
    const { grant } = state;
    if (state.hold) await state.hold;
    if (state.isFailing) throw new ApiError('unavailable');
    return matches ? grant : null;
  };
  const clock = { ms: 1_000_000 };
  const reported: string[] = [];
  const keys = createKeyAuthenticator({
    store: {
      findKeyBySecretHash: (secretHash) => find(secretHash === hashKeySecret(secret)),
      findKey: (id) => find(id === key.id),
    },
    plans,
    now: () => clock.ms,
    onUnknownPlan: (plan) => reported.push(plan),
  });
  return { secret, key, state, clock, reported, keys };
}

describe('key authentication', () => {
  it('a live key is queried once, then found in memory', async () => {
    const { keys, secret, state } = openStore();
    const first = keys.authenticate(secret);
    assert.deepEqual(await first, {
      keyId: 'key_1',
      accountId: 'acc_1',
      limitId: 'key_0',
      plan: 'pro',
      limitPerMinute: 600,
      slots: null,
      weight: 4,
      isUnproven: true,
      monthlyQuota: undefined,
      operations: null,
      clientNetworks: null,
    });
    const second = keys.authenticate(secret);
    assert.ok(await settlesInTurn(second));
    assert.equal(await second, await first);
    assert.equal(state.queries, 1);
  });

  it('the account of a key is found without a query once the key was used, and of no other key', async () => {
    const { keys, secret, state } = openStore();
    assert.equal(keys.findAccountId(secret), null);
    await keys.authenticate(secret);
    void keys.authenticate(secret);
    assert.equal(keys.findAccountId(secret), 'acc_1');
    assert.equal(keys.findAccountId(createKeySecret()), null);
    assert.equal(state.queries, 1);
  });

  it('a hundred concurrent requests share one query', async () => {
    const { keys, secret, state } = openStore();
    const callers = await Promise.all(Array.from({ length: 100 }, async () => keys.authenticate(secret)));
    assert.equal(new Set(callers).size, 1);
    assert.equal(state.queries, 1);
  });

  it('malformed keys cause no query', async () => {
    const { keys, secret, state } = openStore();
    for (const junk of [
      '',
      'x',
      secret.slice(1),
      `${secret}x`,
      secret.toUpperCase(),
      'ua_ticket_x',
      'a'.repeat(8_000),
    ])
      assert.equal(await keys.authenticate(junk), null);
    assert.equal(state.queries, 0);
  });

  it('an unknown key is queried once in five seconds', async () => {
    const { keys, state, clock } = openStore();
    const stranger = createKeySecret();
    assert.equal(await keys.authenticate(stranger), null);
    assert.equal(await keys.authenticate(stranger), null);
    assert.equal(state.queries, 1);
    clock.ms += 5_000;
    assert.equal(await keys.authenticate(stranger), null);
    assert.equal(state.queries, 2);
  });

  it('a revocation applies within five seconds without a notice, and immediately with one', async () => {
    for (const hasNotice of [true, false]) {
      const { keys, secret, state, clock } = openStore();
      await keys.authenticate(secret);
      state.grant = { ...(state.grant as KeyGrant), disabled: true };
      if (hasNotice) keys.forget(null);
      else clock.ms += 5_000;
      assert.equal(await keys.authenticate(secret), null);
    }
  });

  it('a query that started before a notice is not cached', async () => {
    const { keys, secret, state } = openStore();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.hold = promise;
    const slow = keys.authenticate(secret);
    state.hold = null;
    state.grant = null;
    keys.forget(null);
    resolve();
    await slow;
    assert.equal(await keys.authenticate(secret), null);
  });

  it('a key stops working when it expires, cached or not', async () => {
    const { keys, secret, clock } = openStore({ expiresAtMs: 1_002_000 });
    assert.ok(await keys.authenticate(secret));
    clock.ms = 1_001_999;
    assert.ok(await keys.authenticate(secret));
    clock.ms = 1_002_000;
    assert.equal(await keys.authenticate(secret), null);
  });

  it('while the database fails, cached keys work for a minute; other keys get 503, not 401', async () => {
    const { keys, secret, state, clock } = openStore();
    await keys.authenticate(secret);
    state.isFailing = true;
    clock.ms += 59_000;
    assert.ok(await keys.authenticate(secret));
    await assert.rejects(Promise.resolve(keys.authenticate(createKeySecret())), { code: 'unavailable' });
    clock.ms += 1_000;
    await assert.rejects(Promise.resolve(keys.authenticate(secret)), { code: 'unavailable' });
    state.isFailing = false;
    assert.ok(await keys.authenticate(secret));
  });

  it('a change of plan applies its limit and slots from the next notice on', async () => {
    const { keys, secret, state } = openStore();
    await keys.authenticate(secret);
    state.grant = { ...(state.grant as KeyGrant), plan: 'free' };
    keys.forget(null);
    const caller = await keys.authenticate(secret);
    assert.deepEqual([caller?.limitPerMinute, caller?.slots], [60, 2]);
  });

  it('a plan that is no longer configured has the smallest limit and slots, and is reported once', async () => {
    const { keys, secret, state, reported } = openStore();
    state.grant = { ...(state.grant as KeyGrant), plan: 'gold' };
    const caller = await keys.authenticate(secret);
    assert.deepEqual([caller?.limitPerMinute, caller?.slots], [60, 2]);
    keys.forget(null);
    await keys.authenticate(secret);
    assert.deepEqual(reported, ['gold']);
  });
});

describe('tickets', () => {
  it('authenticate one time, as their key without its client ranges', async () => {
    const { keys } = openStore({ clientCidrs: ['10.0.0.0/8'] });
    const ticket = (await keys.issueTicket('key_1')) ?? '';
    const caller = await keys.authenticate(ticket);
    assert.deepEqual([caller?.keyId, caller?.clientNetworks], ['key_1', null]);
    assert.equal(await keys.authenticate(ticket), null);
  });

  it('expire after 10 s', async () => {
    const { keys, clock } = openStore();
    const [used, late] = [await keys.issueTicket('key_1'), await keys.issueTicket('key_1')];
    clock.ms += 9_999;
    assert.ok(await keys.authenticate(used ?? ''));
    clock.ms += 1;
    assert.equal(await keys.authenticate(late ?? ''), null);
  });

  it('are not issued for a key that is not live', async () => {
    const { keys } = openStore({ revokedAtMs: 1 });
    assert.equal(await keys.issueTicket('key_1'), null);
    assert.equal(await keys.issueTicket('key_unknown'), null);
  });
});

describe('client ranges', () => {
  it('parse from addresses and CIDR ranges', () => {
    assert.equal(parseClientCidr(' 10.1.2.3 '), '10.1.2.3/32');
    assert.equal(parseClientCidr('10.0.0.0/08'), '10.0.0.0/8');
    assert.equal(parseClientCidr('2001:db8::/32'), '2001:db8::/32');
    for (const text of [
      '',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/-1',
      '10.0.0/8',
      'fe80::1%eth0',
      '::1/129',
      '1.2.3.4/8/8',
      'a.b',
    ])
      assert.equal(parseClientCidr(text), null, text);
  });

  it('contain the addresses of the range', () => {
    const cidrs = ['10.0.0.0/8', '2001:db8::/32', '203.0.113.7/32'];
    for (const [address, isIn] of [
      ['10.255.0.1', true],
      ['::ffff:10.0.0.1', true],
      ['11.0.0.1', false],
      ['2001:db8:1::1', true],
      ['2001:db9::1', false],
      ['203.0.113.7', true],
      ['203.0.113.8', false],
      ['', false],
      ['unknown', false],
    ] as const)
      assert.equal(new ClientNetworks(cidrs).contains(address), isIn, address);
  });

  it('ignore a port after the address, as some proxies write it', () => {
    const cidrs = ['10.0.0.0/8', '2001:db8::/32'];
    for (const address of ['10.1.1.1:443', '[2001:db8::1]:443', '[2001:db8::1]'])
      assert.ok(new ClientNetworks(cidrs).contains(address), address);
    for (const address of ['11.1.1.1:443', '10.1.1.1:443, 10.1.1.1', '10.1.1.1:x', ''])
      assert.ok(!new ClientNetworks(cidrs).contains(address), address);
  });

  it('0.0.0.0/0 contains all IPv4 addresses and no IPv6 address', () => {
    assert.ok(new ClientNetworks(['0.0.0.0/0']).contains('8.8.8.8'));
    assert.ok(!new ClientNetworks(['0.0.0.0/0']).contains('2001:db8::1'));
  });
});
