import assert from 'node:assert/strict';
import { it } from 'node:test';
import { computeEditCost } from './edit-cost.ts';

const PAIRS = [
  ['bacd', 'abcd'],
  ['gmial', 'gmail'],
  ['gmali', 'gmail'],
  ['maigl', 'gmail'],
  ['acd', 'abcd'],
  ['abbcd', 'abcd'],
  ['xbcd', 'abcd'],
  ['hotmial', 'hotmail'],
  ['otmailh', 'hotmail'],
  ['yaoho', 'yahoo'],
] as const;

it('a cost of exactly the limit is computed, and of a lower limit only that it is over', () => {
  for (const [typed, meant] of PAIRS) {
    const cost = computeEditCost(typed, meant, 1_000);
    assert.ok(cost > 0 && cost < 1_000);
    assert.equal(computeEditCost(typed, meant, cost), cost, typed);
    assert.ok(computeEditCost(typed, meant, cost - 1) > cost - 1, typed);
  }
});

it('an equal word costs nothing, and a word of over 32 letters is never compared', () => {
  assert.equal(computeEditCost('gmail', 'gmail', 0), 0);
  assert.equal(computeEditCost('a'.repeat(33), 'a'.repeat(33), 100), 101);
});
