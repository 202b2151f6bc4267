import { assertPlan, type Account, type Plan } from '#accounts';
import { createInvite, recordAudit } from '#accounts/sign-in';
import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createQueryParser } from '../query.ts';
import { nullable, strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import {
  accountJson,
  formatTime,
  formatTimeOrNull,
  planJson,
  toAccountJson,
  toPlanJson,
} from './account-json.ts';
import type { AccountScope } from './account-scope.ts';
import { requireSession } from './guard-request.ts';
import { ID_PARAMS, text } from './parse-input.ts';

const ADMINISTRATORS = { audience: 'administrators' } as const;
const PAGE = 50;

/**
 * Adds the endpoints for administrators: accounts, plans, invitations. For other users these paths do not
 * exist.
 */
export function routeAdmin(scope: AccountScope, deps: AccountDeps): void {
  routeAccountList(scope, deps);
  routeAccountChanges(scope, deps);
  routePlanList(scope, deps);
  routeInvitations(scope, deps);
}

function routeAccountList(scope: AccountScope, { accounts, now }: AccountDeps): void {
  const parseQuery = createQueryParser(
    strict({ query: Type.Optional(text(320)), before: Type.Optional(text(100)) }),
    { skipsEmpty: true },
  );
  const listed = strict({
    ...accountJson.properties,
    disabled: Type.Boolean(),
    keys: Type.Integer(),
    last_used_at: nullable('string'),
  });
  scope.get('/admin/accounts', {
    config: ADMINISTRATORS,
    schema: { response: { 200: strict({ accounts: Type.Array(listed), next: nullable('string') }) } },
    handler: async (request) => {
      const { query, before } = parseQuery(request.raw.url ?? '');
      const page = await accounts.listAccounts({ query, beforeId: before, limit: PAGE, nowMs: now() });
      const shown = page.map((account) => ({
        ...toAccountJson(account),
        disabled: account.disabled,
        keys: account.liveKeys,
        last_used_at: formatTimeOrNull(account.lastUsedAtMs),
      }));
      return { accounts: shown, next: page.length === PAGE ? (page.at(-1)?.id ?? null) : null };
    },
  });
}

function routeAccountChanges(scope: AccountScope, deps: AccountDeps): void {
  const { access, accounts, plans, now } = deps;
  const changed = strict({ ...accountJson.properties, disabled: Type.Boolean() });
  scope.patch('/admin/accounts/:id', {
    config: ADMINISTRATORS,
    schema: {
      params: ID_PARAMS,
      body: strict({
        plan: Type.Optional(text(50)),
        disabled: Type.Optional(Type.Boolean({ description: 'true or false' })),
      }),
      response: { 200: strict({ account: changed }) },
    },
    handler: async (request) => {
      const { id } = request.params;
      const { plan, disabled } = request.body;
      if (plan !== undefined) assertPlan(plans, plan);
      if (disabled === true && id === requireSession(request).account.id)
        throw new ApiError('invalid_parameter', 'You cannot disable your own account.', {
          param: 'disabled',
        });
      const before = await accounts.findAccount(id);
      const changes = { ...(plan !== undefined && { plan }), ...(disabled !== undefined && { disabled }) };
      const account = before && (await accounts.updateAccount(id, changes, now()));
      if (!account) throw new ApiError('not_found', 'There is no such account.');
      if (account.disabled) await access.store.deleteSessions(account.id);
      recordChange(deps, request, before, account);
      return { account: { ...toAccountJson(account), disabled: account.disabled } };
    },
  });
}

function recordChange(
  { access }: AccountDeps,
  request: Pick<FastifyRequest, 'id'>,
  before: Account,
  after: Account,
): void {
  const detail = 'by an administrator';
  if (before.plan !== after.plan)
    recordAudit(
      access,
      after.id,
      'account.plan_changed',
      `${before.plan} → ${after.plan}, ${detail}`,
      request.id,
    );
  if (before.disabled !== after.disabled)
    recordAudit(
      access,
      after.id,
      after.disabled ? 'account.disabled' : 'account.enabled',
      detail,
      request.id,
    );
}

function routePlanList(scope: AccountScope, { accounts, plans, capacities }: AccountDeps): void {
  const listed = strict({ name: Type.String(), ...planJson.properties, accounts: Type.Integer() });
  scope.get('/admin/plans', {
    config: ADMINISTRATORS,
    schema: { response: { 200: strict({ plans: Type.Array(listed) }) } },
    handler: async () => {
      const counts = await accounts.countAccountsByPlan();
      const describe = ([name, plan]: [string, Plan]) => ({
        name,
        ...toPlanJson(plan, capacities),
        accounts: counts.get(name) ?? 0,
      });
      return { plans: [...plans].map(describe) };
    },
  });
}

function routeInvitations(scope: AccountScope, { access, publicUrl }: AccountDeps): void {
  scope.post('/admin/invites', {
    config: ADMINISTRATORS,
    schema: {
      body: strict({ email: Type.Optional(Type.Union([text(320), Type.Null()])) }),
      response: { 201: strict({ url: Type.String(), expires_at: Type.String() }) },
    },
    handler: async (request, reply) => {
      const { token, expiresAtMs } = await createInvite(access, request.body.email ?? null);
      const origin = publicUrl ?? `${request.protocol}://${request.host}`;
      const url = `${origin}/sign-up?invite=${token}`;
      return reply.code(201).send({ url, expires_at: formatTime(expiresAtMs) });
    },
  });
}
