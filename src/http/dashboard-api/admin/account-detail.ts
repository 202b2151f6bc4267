import { findPlan, type Account } from '#accounts';
import { listSessions } from '#accounts/sign-in';
import { loadUsagePeriods, type UsagePeriods } from '#usage';
import { type Static, Type } from 'typebox';
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
import { loadQuota, quotaJson } from '../quota-routes.ts';
import type { AccountScope } from '../account-scope.ts';
import { ID_PARAMS } from '../parse-input.ts';
import { noSuchAccount } from './accounts-routes.ts';
import { ADMINISTRATORS } from './administrators.ts';
import { usageTotals } from './usage-routes.ts';

const period = strict({ from: Type.String(), ...usageTotals.properties });

const detail = strict({
  account: strict({ ...accountJson.properties, disabled: Type.Boolean() }),
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
    account: { ...toAccountJson(account), disabled: account.disabled },
    last_sign_in_at: formatTimeOrNull(await store.findLastEvent(account.id, 'sign_in')),
    has_password: (await store.findPasswordHash(account.email)) !== null,
    has_identity: oidc !== null && (await store.findIdentityTime(account.id, oidc.id)) !== null,
    second_factor: (await store.findSecondFactor(account.id)) !== null,
    sessions: sessions.length,
    plan: { name: account.plan, ...toPlanJson(findPlan(plans, account.plan), capacities) },
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
