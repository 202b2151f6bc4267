import type { Plan } from '#accounts';
import { Type } from 'typebox';
import { strict } from '../../schema.ts';
import type { AccountDeps } from '../account-deps.ts';
import { planJson, toPlanJson } from '../account-json.ts';
import type { AccountScope } from '../account-scope.ts';
import { ADMINISTRATORS } from './administrators.ts';

/** Adds the endpoint of the plans, with the number of their accounts. */
export function routePlanList(scope: AccountScope, { accounts, plans, capacities }: AccountDeps): void {
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
