import {
  parseKeyChanges,
  createKey,
  findPlan,
  MAX_LIVE_KEYS,
  rotateKey,
  type ApiKey,
  type CreatedKey,
  type RotatedKey,
  type KeyStore,
} from '#accounts';
import { recordAudit } from '#accounts/sign-in';
import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { keyJson, planJson, toKeyJson, toPlanJson } from './account-json.ts';
import { type AccountScope, NO_CONTENT } from './account-scope.ts';
import { createIdempotencyCache, type IdempotencyCache } from './idempotency-cache.ts';
import { getAuditSource, requireSession } from './guard-request.ts';
import { keyUsage, loadKeyUsage } from './key-usage.ts';
import { ID_PARAMS, parseTime, text } from './parse-input.ts';

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
        ...toPlanJson(findPlan(plans, account.plan), capacities),
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
