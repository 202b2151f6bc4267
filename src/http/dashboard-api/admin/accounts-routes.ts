import { type Account, type AccountChanges, assertPlan, findPlan } from '#accounts';
import { createResetLink, listSessions } from '#accounts/sign-in';
import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type UsagePeriods, loadUsagePeriods } from '#usage';
import { createQueryParser } from '../../query.ts';
import { nullable, strict } from '../../schema.ts';
import type { AccountDeps } from '../account-deps.ts';
import {
  accountJson,
  formatTime,
  formatTimeOrNull,
  keyJson,
  planJson,
  toAccountJson,
  toKeyJson,
  toPlanJson,
} from '../account-json.ts';
import { type AccountScope, NO_CONTENT } from '../account-scope.ts';
import { ADMINISTRATORS, getOrigin, recordAdminAction, requireSession } from '../guard-request.ts';
import { ID_PARAMS, text } from '../parse-input.ts';
import { loadQuota, quotaJson } from '../usage-routes.ts';
import { usageTotals } from './usage-routes.ts';

const PAGE = 50;

/** Adds the endpoints that list, change and delete accounts, and that hand over a reset link. */
export function routeAccounts(scope: AccountScope, deps: AccountDeps): void {
  routeAccountList(scope, deps);
  routeAccountChanges(scope, deps);
  routeAccountDeletion(scope, deps);
  routeResetLink(scope, deps);
}

function routeAccountList(scope: AccountScope, { accounts, now }: AccountDeps): void {
  const parseQuery = createQueryParser(
    strict({ query: Type.Optional(text(320)), before: Type.Optional(text(100)) }),
    { skipsEmpty: true },
  );
  const listed = strict({
    ...accountJson.properties,
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
        keys: account.liveKeys,
        last_used_at: formatTimeOrNull(account.lastUsedAtMs),
      }));
      return { accounts: shown, next: page.length === PAGE ? (page.at(-1)?.id ?? null) : null };
    },
  });
}

const CHANGES = strict({
  plan: Type.Optional(text(50)),
  disabled: Type.Optional(Type.Boolean({ description: 'true or false' })),
  email_verified: Type.Optional(Type.Literal(true, { description: 'true' })),
});

function routeAccountChanges(scope: AccountScope, deps: AccountDeps): void {
  const { access, accounts, plans, now } = deps;
  scope.patch('/admin/accounts/:id', {
    config: ADMINISTRATORS,
    schema: { params: ID_PARAMS, body: CHANGES, response: { 200: strict({ account: accountJson }) } },
    handler: async (request) => {
      const { id } = request.params;
      const { plan, disabled, email_verified: emailVerified } = request.body;
      if (plan !== undefined) assertPlan(plans, plan);
      if (disabled === true && id === requireSession(request).account.id)
        throw new ApiError('invalid_parameter', 'You cannot disable your own account.', {
          param: 'disabled',
        });
      const before = await accounts.findAccount(id);
      const changes: AccountChanges = {
        ...(plan !== undefined && { plan }),
        ...(disabled !== undefined && { disabled }),
        ...(emailVerified !== undefined && { emailVerified }),
      };
      const account = before && (await accounts.updateAccount(id, changes, now()));
      if (!account) throw noSuchAccount();
      if (account.disabled) await access.store.deleteSessions(account.id);
      recordChanges(deps, request, before, account);
      return { account: toAccountJson(account) };
    },
  });
}

function recordChanges(deps: AccountDeps, request: FastifyRequest, before: Account, after: Account): void {
  const change = { accountId: after.id, ownEvent: 'administrator.changed_account' } as const;
  if (before.plan !== after.plan)
    recordAdminAction(deps, request, {
      ...change,
      event: 'account.plan_changed',
      detail: `${before.plan} → ${after.plan}`,
    });
  if (before.disabled !== after.disabled)
    recordAdminAction(deps, request, {
      ...change,
      event: after.disabled ? 'account.disabled' : 'account.enabled',
      detail: after.disabled ? 'disabled' : 'enabled',
    });
  if (before.emailVerified !== after.emailVerified)
    recordAdminAction(deps, request, { ...change, event: 'email.verified', detail: 'address verified' });
}

function routeAccountDeletion(scope: AccountScope, deps: AccountDeps): void {
  const { accounts } = deps;
  scope.delete('/admin/accounts/:id', {
    config: ADMINISTRATORS,
    schema: {
      params: ID_PARAMS,
      body: strict({ email: text(320, 'the email address of the account') }),
      response: { 204: NO_CONTENT },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const account = await accounts.findAccount(id);
      if (!account) throw noSuchAccount();
      if (id === requireSession(request).account.id)
        throw new ApiError(
          'invalid_parameter',
          'You cannot delete your own account here: delete it in its settings, with its password.',
          { param: 'id' },
        );
      if (request.body.email.trim().toLowerCase() !== account.email)
        throw new ApiError('invalid_parameter', 'email must be the email address of the account.', {
          param: 'email',
        });
      if (!(await accounts.deleteAccount(id))) throw noSuchAccount();
      recordAdminAction(deps, request, {
        accountId: id,
        event: null,
        ownEvent: 'administrator.deleted_account',
      });
      return reply.code(204).send();
    },
  });
}

function routeResetLink(scope: AccountScope, deps: AccountDeps): void {
  const { access, accounts } = deps;
  scope.post('/admin/accounts/:id/reset-link', {
    config: ADMINISTRATORS,
    schema: {
      params: ID_PARAMS,
      body: strict({}),
      response: { 201: strict({ url: Type.String(), expires_at: Type.String() }) },
    },
    handler: async (request, reply) => {
      const account = await accounts.findAccount(request.params.id);
      if (!account) throw noSuchAccount();
      const { id: createdBy } = requireSession(request).account;
      const { token, expiresAtMs } = await createResetLink(access, account.email, createdBy);
      recordAdminAction(deps, request, {
        accountId: account.id,
        event: 'password.reset_link_created',
        ownEvent: 'administrator.created_reset_link',
      });
      const url = `${getOrigin(request, deps)}/reset-password?token=${token}`;
      return reply.code(201).send({ url, expires_at: formatTime(expiresAtMs) });
    },
  });
}

/** Returns the error of an id that belongs to no account. */
function noSuchAccount(): ApiError {
  return new ApiError('not_found', 'There is no such account.');
}

const period = strict({ from: Type.String(), ...usageTotals.properties });

const detail = strict({
  account: accountJson,
  last_sign_in_at: nullable('string'),
  has_password: Type.Boolean(),
  /** True if the account signs in by the identity provider that is set now. */
  has_identity: Type.Boolean(),
  second_factor: Type.Boolean(),
  sessions: Type.Integer(),
  plan: strict({ name: Type.String(), ...planJson.properties }),
  quota: quotaJson,
  keys: Type.Array(keyJson),
  usage: strict({ today: period, last_7_days: period, this_month: period }),
});

/** Adds the endpoint of what administrators know about one account. */
export function routeAccountDetail(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/admin/accounts/:id', {
    config: ADMINISTRATORS,
    schema: { params: ID_PARAMS, response: { 200: detail } },
    handler: async (request) => {
      const account = await deps.accounts.findAccount(request.params.id);
      if (!account) throw noSuchAccount();
      return loadDetail(deps, account);
    },
  });
}

async function loadDetail(deps: AccountDeps, account: Account): Promise<Static<typeof detail>> {
  const { access, keys, usage, plans, capacities, now } = deps;
  const nowMs = now();
  const sessions = await listSessions(access, account.id);
  const { oidc, store } = access;
  return {
    account: toAccountJson(account),
    last_sign_in_at: formatTimeOrNull(await store.findLastEvent(account.id, 'sign_in')),
    has_password: (await store.findPasswordHash(account.email)) !== null,
    has_identity: oidc !== null && (await store.findIdentityTime(account.id, oidc.id)) !== null,
    second_factor: (await store.findSecondFactor(account.id)) !== null,
    sessions: sessions.length,
    plan: { name: account.plan, ...toPlanJson(findPlan(plans, account.plan), capacities, account) },
    quota: await loadQuota(deps, account),
    keys: (await keys.listKeys(account.id)).map((key) => toKeyJson(key, nowMs)),
    usage: toPeriodsJson(await loadUsagePeriods(usage, account.id, nowMs)),
  };
}

/** Formats the totals of today, of the last seven days and of this month, in UTC. */
function toPeriodsJson(periods: UsagePeriods): Static<typeof detail>['usage'] {
  const toJson = ({ fromMs, ...totals }: UsagePeriods['today']) => ({ from: formatTime(fromMs), ...totals });
  return {
    today: toJson(periods.today),
    last_7_days: toJson(periods.last7Days),
    this_month: toJson(periods.thisMonth),
  };
}
