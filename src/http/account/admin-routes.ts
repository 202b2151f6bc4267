import { assertPlan, type Account } from '#accounts';
import { createInvite, recordAudit } from '#accounts/sign-in';
import { ApiError } from '#errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createQueryParser } from '../query.ts';
import type { AccountDeps } from './account-deps.ts';
import { formatTime, formatTimeOrNull, toAccountJson, toPlanJson } from './account-json.ts';
import { requireSession } from './guard-request.ts';
import { createBodyParser, members, optional, text } from './parse-input.ts';

const ADMINISTRATORS = { config: { audience: 'administrators' } } as const;
const PAGE = 50;

/**
 * Adds the endpoints for administrators: accounts, plans, invitations. For other users these paths do not
 * exist.
 */
export function routeAdmin(scope: FastifyInstance, deps: AccountDeps): void {
  const { access, accounts, plans, now } = deps;
  const parseList = createQueryParser(members({ query: optional(text(320)), before: optional(text(100)) }), {
    skipsEmpty: true,
  });
  const parseChange = createBodyParser(
    members({
      plan: optional(text(50)),
      disabled: optional(Type.Boolean({ description: 'true or false' })),
    }),
  );
  const parseInvite = createBodyParser(members({ email: optional(Type.Union([text(320), Type.Null()])) }));

  scope.get('/admin/accounts', {
    ...ADMINISTRATORS,
    handler: async (request) => {
      const { query, before } = parseList(request.raw.url ?? '');
      const page = await accounts.listAccounts({ query, beforeId: before, limit: PAGE, nowMs: now() });
      const shown = page.map((account) =>
        Object.assign(toAccountJson(account), {
          disabled: account.disabled,
          keys: account.liveKeys,
          last_used_at: formatTimeOrNull(account.lastUsedAtMs),
        }),
      );
      return { accounts: shown, next: page.length === PAGE ? (page.at(-1)?.id ?? null) : null };
    },
  });
  scope.patch<{ Params: { id: string } }>('/admin/accounts/:id', {
    ...ADMINISTRATORS,
    handler: async (request) => {
      const { plan, disabled } = parseChange(request);
      if (plan !== undefined) assertPlan(plans, plan);
      if (disabled === true && request.params.id === requireSession(request).account.id)
        throw new ApiError('invalid_parameter', 'You cannot disable your own account.', {
          param: 'disabled',
        });
      const before = await accounts.findAccount(request.params.id);
      const account =
        before &&
        (await accounts.updateAccount(
          before.id,
          { ...(plan !== undefined && { plan }), ...(disabled !== undefined && { disabled }) },
          now(),
        ));
      if (!account) throw new ApiError('not_found', 'There is no such account.');
      if (account.disabled) await access.store.deleteSessions(account.id);
      recordChange(deps, request, before, account);
      return { account: { ...toAccountJson(account), disabled: account.disabled } };
    },
  });
  scope.get('/admin/plans', ADMINISTRATORS, async () => {
    const counts = await accounts.countAccountsByPlan();
    return {
      plans: [...plans].map(([name, plan]) => ({
        name,
        ...toPlanJson(plan, deps.capacities),
        accounts: counts.get(name) ?? 0,
      })),
    };
  });
  scope.post('/admin/invites', ADMINISTRATORS, async (request, reply) => {
    const { token, expiresAtMs } = await createInvite(access, parseInvite(request).email ?? null);
    const origin = deps.publicUrl ?? `${request.protocol}://${request.host}`;
    const url = `${origin}/sign-up?invite=${token}`;
    return reply.code(201).send({ url, expires_at: formatTime(expiresAtMs) });
  });
}

function recordChange(
  { access }: AccountDeps,
  request: FastifyRequest,
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
