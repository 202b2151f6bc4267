import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPlan, getDefaultPlanName, type Plan, type Plans } from './account.ts';

const plan = (limitPerMinute: number, slots: number | null): Plan => ({ limitPerMinute, slots });

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
    assert.deepEqual(findPlan(plans, 'gold'), plan(60, 2));
    assert.deepEqual(findPlan(plans, 'constructor'), plan(60, 2));
  });

  it('an unknown plan has no concurrency of its own if no plan has one', () => {
    assert.deepEqual(findPlan(new Map([['free', plan(60, null)]]), 'gold'), plan(60, null));
  });
});
