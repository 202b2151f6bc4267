/** The limits of an account on a plan. */
export interface Plan {
  /** Requests per clock minute and key. */
  readonly limitPerMinute: number;
  /** Browser pages that an account can use at once; null if `shares/` derives them from the machine. */
  readonly slots: number | null;
  /** Units per calendar month and account; undefined if they are not limited. */
  readonly monthlyQuota?: number | undefined;
}

/** The operator's plans by name; the first is the plan of new accounts. Never empty. */
export type Plans = ReadonlyMap<string, Plan>;

/** Returns the name of the plan that new accounts get. */
export function getDefaultPlanName(plans: Plans): string {
  const [first] = plans.keys();
  if (first === undefined) throw new Error('There must be at least one plan.');
  return first;
}

/**
 * Returns the plan of this name. A plan that is no longer configured has the smallest limit and the smallest
 * concurrency of all plans: its accounts keep working, and none gets more than was sold to it.
 */
export function findPlan(plans: Plans, name: string): Plan {
  return plans.get(name) ?? computeSmallestPlan(plans);
}

function computeSmallestPlan(plans: Plans): Plan {
  const all = [...plans.values()];
  // A number allows no more than null does.
  const slots = all.map((plan) => plan.slots).filter((count) => count !== null);
  const quotas = all.map((plan) => plan.monthlyQuota).filter((quota) => quota !== undefined);
  return {
    limitPerMinute: Math.min(...all.map((plan) => plan.limitPerMinute)),
    slots: slots.length > 0 ? Math.min(...slots) : null,
    ...(quotas.length > 0 && { monthlyQuota: Math.min(...quotas) }),
  };
}
