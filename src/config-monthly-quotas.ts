/** The monthly quotas of the plans. */
import { parseList, type PlanValue, quote } from './config-values.ts';

const FORM = 'plan=units, separated by commas, like free=10000,pro=500000';

/** Parses quotas, `plan=units per month`. */
export function parseMonthlyQuotas(text: string): ReadonlyMap<string, number> {
  const quotas = new Map<string, number>();
  for (const part of parseList(text)) {
    const [, name, units] = /^([a-z][a-z0-9_-]{0,31})=(\d{1,12})$/.exec(part) ?? [];
    if (!name) throw new Error(`must be ${FORM}; «${quote(part)}» is not`);
    if (quotas.has(name)) throw new Error(`names the plan ${name} twice; write each plan once`);
    if (Number(units) < 1)
      throw new Error(
        `must allow at least 1 unit per month; «${part}» does not: leave out plans without a quota`,
      );
    quotas.set(name, Number(units));
  }
  if (quotas.size === 0) throw new Error(`names no plan; write ${FORM}`);
  return quotas;
}

/** Returns the plans with their quotas. Throws an Error if there is a quota of a plan that does not exist. */
export function addMonthlyQuotas(
  plans: ReadonlyMap<string, PlanValue>,
  quotas: ReadonlyMap<string, number>,
): ReadonlyMap<string, PlanValue> {
  for (const name of quotas.keys())
    if (!plans.has(name))
      throw new Error(
        `names the plan ${name}, which PLANS does not: use one of ${[...plans.keys()].join(', ')}`,
      );
  return new Map(
    [...plans].map(([name, plan]) => {
      const monthlyQuota = quotas.get(name);
      return [name, monthlyQuota === undefined ? plan : { ...plan, monthlyQuota }];
    }),
  );
}
