import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPlan, getDefaultPlanName, type Plan, type Plans } from './account.ts';

const plan = (limitPerMinute: number, slots: number | null): Plan => ({ limitPerMinute, slots });

const smallest = (limitPerMinute: number, slots: number | null) => ({
  limitPerMinute,
  slots,
  weight: undefined,
  monthlyQuota: undefined,
});

describe('plans', () => {
  const plans: Plans = new Map([
    ['pro', plan(600, 4)],
    ['free', plan(60, null)],
    ['trial', plan(100, 2)],
  ]);

  it('new accounts get the first plan', () => {
    assert.equal(getDefaultPlanName(plans), 'pro');
    assert.throws(() => getDefaultPlanName(new Map()), /at least one plan/);
  });

  it('a plan is found by its name', () => {
    assert.deepEqual(findPlan(plans, 'free'), plan(60, null));
    assert.deepEqual(findPlan(plans, 'pro'), plan(600, 4));
  });

  it('a plan that is no longer configured has the smallest limit and the smallest concurrency', () => {
    assert.deepEqual(findPlan(plans, 'gold'), smallest(60, 2));
    assert.deepEqual(findPlan(plans, 'constructor'), smallest(60, 2));
    const weighed = new Map([
      ['pro', { ...plan(600, null), weight: 4 }],
      ['free', { ...plan(60, null), weight: 1, monthlyQuota: 9 }],
    ]);
    assert.deepEqual(findPlan(weighed, 'gold'), { ...plan(60, null), weight: 1, monthlyQuota: 9 });
  });

  it('an unknown plan has no concurrency of its own if no plan has one', () => {
    assert.deepEqual(findPlan(new Map([['free', plan(60, null)]]), 'gold'), smallest(60, null));
  });
});
