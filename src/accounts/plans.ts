/** The operator's plans: requests per minute and key, by name; the first is the plan of new accounts. Never empty. */
export type Plans = ReadonlyMap<string, number>;

export function readDefaultPlan(plans: Plans): string {
  const [first] = plans.keys();
  if (first === undefined) throw new Error('There must be at least one plan.');
  return first;
}

/**
 * The limit of an account's plan. A plan that the operator no longer configures counts as the smallest one:
 * its accounts go on working, and none gets more than was sold to it.
 */
export function readPlanLimit(plans: Plans, plan: string): number {
  return plans.get(plan) ?? Math.min(...plans.values());
}
