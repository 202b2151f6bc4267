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
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { AccountDeps } from './account-deps.ts';
import { toKeyJson, toPlanJson } from './account-json.ts';
import { createIdempotencyCache, type IdempotencyCache } from './idempotency-cache.ts';
import { requireSession } from './guard-request.ts';
import { createBodyParser, members, optional, parseTime, text } from './parse-input.ts';

const name = text(1_000, 'text of 1 to 100 characters');
const list = (description: string) =>
  optional(Type.Union([Type.Array(text(100), { maxItems: 200 }), Type.Null()], { description }));
const restrictions = {
  operations: list('null, or a list of operations'),
  client_cidrs: list('null, or a list of address ranges'),
};
/** A key that was created, or one that replaces another. */
type NewKey = CreatedKey & Partial<RotatedKey>;
type KeyRequest = FastifyRequest<{ Params: { id: string } }>;

/** Adds the endpoints of the account's plan and keys: list, create, change, rotate, revoke. */
export function routeKeys(scope: FastifyInstance, deps: AccountDeps): void {
  const cache = createIdempotencyCache<NewKey>(deps.now);
  routeKeyList(scope, deps);
  routeKeyCreation(scope, deps, cache);
  routeKeyRotation(scope, deps, cache);
  routeKeyChanges(scope, deps);
}

function routeKeyList(scope: FastifyInstance, { keys, plans, capacities, now }: AccountDeps): void {
  scope.get('/plan', {
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
  scope.get('/keys', {
    handler: async (request) => {
      const own = await keys.listKeys(requireSession(request).account.id);
      return { keys: own.map((key) => toKeyJson(key, now())) };
    },
  });
}

function routeKeyCreation(
  scope: FastifyInstance,
  { access, keys, now }: AccountDeps,
  cache: IdempotencyCache<NewKey>,
): void {
  const parseKey = createBodyParser(
    members({ name, expires_at: optional(Type.Union([text(40), Type.Null()])), ...restrictions }),
  );
  scope.post('/keys', async (request, reply) => {
    const { account, id: sessionId } = requireSession(request);
    const body = parseKey(request);
    const { key, secret } = await cache.runOnce(account.id, request, async () => {
      const expiresAtMs =
        typeof body.expires_at === 'string' ? parseTime(body.expires_at, 'expires_at') : null;
      const { name: keyName, operations, client_cidrs: clientCidrs } = body;
      const created = await createKey(
        keys,
        { accountId: account.id, sessionId, name: keyName, expiresAtMs, operations, clientCidrs },
        now(),
      );
      recordAudit(access, account.id, 'key.created', created.key.name, request.id);
      return created;
    });
    return reply.code(201).send({ key: toKeyJson(key, now()), secret });
  });
}

function routeKeyRotation(
  scope: FastifyInstance,
  { access, keys, now }: AccountDeps,
  cache: IdempotencyCache<NewKey>,
): void {
  const grace_days = Type.Integer({ minimum: 0, maximum: 7, description: 'a whole number from 0 to 7' });
  const parseRotation = createBodyParser(members({ grace_days }));
  scope.post('/keys/:id/rotate', async (request: KeyRequest, reply) => {
    const old = await findOwnKey(keys, request);
    const { grace_days: graceDays } = parseRotation(request);
    const { id: sessionId } = requireSession(request);
    const rotated = await cache.runOnce(old.accountId, request, async () => {
      const created = await rotateKey(keys, old, graceDays, now(), sessionId);
      const isGraceCut = graceDays > 0 && created.old.revokedAtMs !== null;
      const detail = isGraceCut
        ? `${old.name}: without a grace period, all ${MAX_LIVE_KEYS} keys are in use`
        : old.name;
      recordAudit(access, old.accountId, 'key.rotated', detail, request.id);
      for (const key of created.ended)
        recordAudit(access, key.accountId, 'key.grace_ended', describeKey(key), request.id);
      return created;
    });
    return reply.code(201).send({
      key: toKeyJson(rotated.key, now()),
      secret: rotated.secret,
      old: toKeyJson(rotated.old ?? old, now()),
      ended: (rotated.ended ?? []).map((key) => toKeyJson(key, now())),
    });
  });
}

function routeKeyChanges(scope: FastifyInstance, { access, keys, now }: AccountDeps): void {
  const parseChanges = createBodyParser(members({ name: optional(name), ...restrictions }));
  scope.patch('/keys/:id', {
    handler: async (request: KeyRequest) => {
      const own = await findOwnKey(keys, request);
      const { name: newName, operations, client_cidrs: clientCidrs } = parseChanges(request);
      const changes = parseKeyChanges({
        ...(newName !== undefined && { name: newName }),
        ...(operations !== undefined && { operations }),
        ...(clientCidrs !== undefined && { clientCidrs }),
      });
      const key = await keys.updateKey(own.id, changes);
      if (!key) throw new ApiError('not_found', 'There is no such key.');
      recordAudit(access, key.accountId, 'key.changed', key.name, request.id);
      return { key: toKeyJson(key, now()) };
    },
  });
  scope.delete('/keys/:id', async (request: KeyRequest, reply) => {
    const key = await findOwnKey(keys, request);
    if (await keys.revokeKey(key.id, now()))
      recordAudit(access, key.accountId, 'key.revoked', key.name, request.id);
    return reply.code(204).send();
  });
}

/** Formats a key for the audit log. Rotated keys share a name: the end of the secret distinguishes them. */
function describeKey({ name: keyName, prefix, lastFour }: ApiKey): string {
  return `${keyName} (${prefix}…${lastFour})`;
}

/** Returns the key in the path. Throws `not_found` if it does not belong to the session's account. */
async function findOwnKey(keys: KeyStore, request: KeyRequest): Promise<ApiKey> {
  const grant = await keys.findKey(request.params.id);
  if (grant?.key.accountId === requireSession(request).account.id) return grant.key;
  throw new ApiError('not_found', 'There is no such key.');
}
