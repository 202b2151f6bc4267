/** The endpoints of the keys of an account. */
import { BUCKET_MS, type UsageStore, floorToBucket } from '#usage';
import { type Static, Type } from 'typebox';
import {
  type ApiKey,
  type CreatedKey,
  type KeyStore,
  MAX_LIVE_KEYS,
  type RotatedKey,
  createKey,
  findPlan,
  parseKeyChanges,
  rotateKey,
} from '#accounts';
import { recordAudit } from '#accounts/sign-in';
import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { keyJson, planJson, toKeyJson, toPlanJson } from './account-json.ts';
import { type AccountScope, NO_CONTENT } from './account-scope.ts';
import { getAuditSource, requireSession } from './guard-request.ts';
import { ID_PARAMS, parseTime, text } from './parse-input.ts';

const DAYS = 30;
const WEEK_DAYS = 7;

const keyUsage = strict({
  today: Type.Integer(),
  last_7_days: Type.Integer(),
  last_30_days: Type.Integer(),
  /** Requests of each of the 30 days, oldest first; the last is today (UTC). Empty if there are none. */
  by_day: Type.Array(Type.Integer()),
});
type KeyUsage = Static<typeof keyUsage>;

/** Returns a function that finds the usage of a key. */
async function loadKeyUsage(
  usage: UsageStore,
  accountId: string,
  nowMs: number,
): Promise<(keyId: string) => KeyUsage> {
  const firstDayMs = floorToBucket(nowMs, 'day') - (DAYS - 1) * BUCKET_MS.day;
  const query = { accountId, bucketSize: 'day', fromMs: firstDayMs, toMs: nowMs + 1 } as const;
  const byKey = Map.groupBy(await usage.sumByKey(query), ({ keyId }) => keyId);
  return (keyId) => {
    const sums = byKey.get(keyId);
    if (!sums) return { today: 0, last_7_days: 0, last_30_days: 0, by_day: [] };
    const days = Array.from({ length: DAYS }, () => 0);
    for (const { bucketStartMs, requests } of sums)
      days[(bucketStartMs - firstDayMs) / BUCKET_MS.day] = requests;
    const sumOf = (count: number): number => days.slice(-count).reduce((sum, requests) => sum + requests, 0);
    return { today: sumOf(1), last_7_days: sumOf(WEEK_DAYS), last_30_days: sumOf(DAYS), by_day: days };
  };
}

const NAME = text(1_000, 'text of 1 to 100 characters');
const list = (description: string) =>
  Type.Optional(Type.Union([Type.Array(text(100), { maxItems: 200 }), Type.Null()], { description }));
const RESTRICTIONS = {
  operations: list('null, or a list of operations'),
  client_cidrs: list('null, or a list of address ranges'),
};
/** A key that was created, or one that replaces another. */
type NewKey = CreatedKey & Partial<RotatedKey>;

/** Adds the endpoints of the account's plan and keys: list, create, change, rotate, revoke. */
export function routeKeys(scope: AccountScope, deps: AccountDeps): void {
  const cache = createIdempotencyCache<NewKey>(deps.now);
  routePlan(scope, deps);
  routeKeyList(scope, deps);
  routeKeyCreation(scope, deps, cache);
  routeKeyRotation(scope, deps, cache);
  routeKeyChanges(scope, deps);
  routeKeyRevocation(scope, deps);
}

function routePlan(scope: AccountScope, { keys, plans, capacities, now }: AccountDeps): void {
  const own = strict({
    plan: Type.String(),
    ...planJson.properties,
    plans: Type.Array(strict({ name: Type.String(), ...planJson.properties })),
    keys_used: Type.Integer(),
    keys_limit: Type.Integer(),
  });
  scope.get('/plan', {
    schema: { response: { 200: own } },
    handler: async (request) => {
      const { account } = requireSession(request);
      return {
        plan: account.plan,
        ...toPlanJson(findPlan(plans, account.plan), capacities, account),
        plans: [...plans].map(([name, plan]) => ({ name, ...toPlanJson(plan, capacities) })),
        keys_used: await keys.countLiveKeys(account.id, now()),
        keys_limit: MAX_LIVE_KEYS,
      };
    },
  });
}

function routeKeyList(scope: AccountScope, { keys, usage, now }: AccountDeps): void {
  const listed = strict({ ...keyJson.properties, usage: keyUsage });
  scope.get('/keys', {
    schema: { response: { 200: strict({ keys: Type.Array(listed) }) } },
    handler: async (request) => {
      const { account } = requireSession(request);
      const own = await keys.listKeys(account.id);
      const findUsage = await loadKeyUsage(usage, account.id, now());
      return { keys: own.map((key) => ({ ...toKeyJson(key, now()), usage: findUsage(key.id) })) };
    },
  });
}

function routeKeyCreation(
  scope: AccountScope,
  { access, keys, now }: AccountDeps,
  cache: IdempotencyCache<NewKey>,
): void {
  const expires_at = Type.Optional(Type.Union([text(40), Type.Null()]));
  scope.post('/keys', {
    schema: {
      body: strict({ name: NAME, expires_at, ...RESTRICTIONS }),
      response: { 201: strict({ key: keyJson, secret: Type.String() }) },
    },
    handler: async (request, reply) => {
      const { account, id: sessionId } = requireSession(request);
      const { name, expires_at: expiry, operations, client_cidrs: clientCidrs } = request.body;
      const { key, secret } = await cache.runOnce(account.id, request, async () => {
        const expiresAtMs = typeof expiry === 'string' ? parseTime(expiry, 'expires_at') : null;
        const created = await createKey(
          keys,
          { accountId: account.id, sessionId, name, expiresAtMs, operations, clientCidrs },
          now(),
        );
        recordAudit(access, account.id, 'key.created', created.key.name, getAuditSource(request));
        return created;
      });
      return reply.code(201).send({ key: toKeyJson(key, now()), secret });
    },
  });
}

function routeKeyRotation(
  scope: AccountScope,
  { access, keys, now }: AccountDeps,
  cache: IdempotencyCache<NewKey>,
): void {
  const body = strict({
    grace_days: Type.Integer({ minimum: 0, maximum: 7, description: 'a whole number from 0 to 7' }),
  });
  const rotated = strict({
    key: keyJson,
    secret: Type.String(),
    old: keyJson,
    ended: Type.Array(keyJson),
  });

  async function rotate(old: ApiKey, graceDays: number, request: FastifyRequest): Promise<NewKey> {
    const created = await rotateKey(keys, old, graceDays, now(), requireSession(request).id);
    const isGraceCut = graceDays > 0 && created.old.revokedAtMs !== null;
    const detail = isGraceCut
      ? `${old.name}: without a grace period, all ${MAX_LIVE_KEYS} keys are in use`
      : old.name;
    recordAudit(access, old.accountId, 'key.rotated', detail, getAuditSource(request));
    for (const key of created.ended)
      recordAudit(access, key.accountId, 'key.grace_ended', describeKey(key), getAuditSource(request));
    return created;
  }

  scope.post('/keys/:id/rotate', {
    schema: { params: ID_PARAMS, body, response: { 201: rotated } },
    handler: async (request, reply) => {
      const own = await findOwnKey(keys, request, request.params.id);
      const { key, secret, old, ended } = await cache.runOnce(own.accountId, request, () =>
        rotate(own, request.body.grace_days, request),
      );
      return reply.code(201).send({
        key: toKeyJson(key, now()),
        secret,
        old: toKeyJson(old ?? own, now()),
        ended: (ended ?? []).map((one) => toKeyJson(one, now())),
      });
    },
  });
}

function routeKeyChanges(scope: AccountScope, { access, keys, now }: AccountDeps): void {
  scope.patch('/keys/:id', {
    schema: {
      params: ID_PARAMS,
      body: strict({ name: Type.Optional(NAME), ...RESTRICTIONS }),
      response: { 200: strict({ key: keyJson }) },
    },
    handler: async (request) => {
      const own = await findOwnKey(keys, request, request.params.id);
      const { name, operations, client_cidrs: clientCidrs } = request.body;
      const changes = parseKeyChanges({
        ...(name !== undefined && { name }),
        ...(operations !== undefined && { operations }),
        ...(clientCidrs !== undefined && { clientCidrs }),
      });
      const key = await keys.updateKey(own.id, changes);
      if (!key) throw new ApiError('not_found', 'There is no such key.');
      recordAudit(access, key.accountId, 'key.changed', key.name, getAuditSource(request));
      return { key: toKeyJson(key, now()) };
    },
  });
}

function routeKeyRevocation(scope: AccountScope, { access, keys, now }: AccountDeps): void {
  scope.delete('/keys/:id', {
    schema: { params: ID_PARAMS, response: { 204: NO_CONTENT } },
    handler: async (request, reply) => {
      const key = await findOwnKey(keys, request, request.params.id);
      if (await keys.revokeKey(key.id, now()))
        recordAudit(access, key.accountId, 'key.revoked', key.name, getAuditSource(request));
      return reply.code(204).send();
    },
  });
}

/** Formats a key for the audit log. Rotated keys share a name: the end of the secret distinguishes them. */
function describeKey({ name, prefix, lastFour }: ApiKey): string {
  return `${name} (${prefix}…${lastFour})`;
}

/** Returns a key of the session's account. Throws `not_found` if it has no key with this id. */
async function findOwnKey(keys: KeyStore, request: FastifyRequest, id: string): Promise<ApiKey> {
  const grant = await keys.findKey(id);
  if (grant?.key.accountId === requireSession(request).account.id) return grant.key;
  throw new ApiError('not_found', 'There is no such key.');
}

/** The time that a result is cached. It is short, because results contain the secrets of new keys. */
const TTL_MS = 60_000;

interface CachedResult<T> {
  request: string;
  result: Promise<T>;
  untilMs: number;
}

/**
 * Creates a cache of results by Idempotency-Key: a double click, or a retry after a lost response, creates
 * one key.
 */
function createIdempotencyCache<T>(now: () => number) {
  const results = new LRUCache<string, CachedResult<T>>({
    max: 1_000,
    ttl: TTL_MS,
    ttlAutopurge: true,
  });

  /**
   * Runs `act`, or returns its result for the same account, Idempotency-Key and request in the last minute.
   * Errors are not cached.
   */
  async function runOnce(accountId: string, request: FastifyRequest, act: () => Promise<T>): Promise<T> {
    const header = request.headers['idempotency-key'];
    if (header === undefined) return act();
    if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header))
      throw new ApiError('invalid_parameter', 'Idempotency-Key must be 1 to 200 characters of ASCII.', {
        param: 'Idempotency-Key',
      });
    const name = `${accountId} ${header}`;
    const content = `${request.method} ${request.url} ${JSON.stringify(request.body)}`;
    const cached = results.get(name);
    if (cached && now() < cached.untilMs) {
      if (cached.request === content) return cached.result;
      throw new ApiError(
        'invalid_parameter',
        'This Idempotency-Key was used for another request: take a new one.',
        {
          param: 'Idempotency-Key',
        },
      );
    }
    const result = act();
    results.set(name, { request: content, result, untilMs: now() + TTL_MS });
    result.catch(() => results.delete(name));
    return result;
  }

  return { runOnce };
}

type IdempotencyCache<T> = ReturnType<typeof createIdempotencyCache<T>>;
