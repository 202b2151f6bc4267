import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computeEditCost, getInsertionCost, getSubstitutionCost } from './edit-cost.ts';
import { FIRST_LETTER_RULES, LETTER_RULES } from './rules.ts';

const { otherLetter, extraLetter, adjacentKeyToo } = LETTER_RULES;
const CODE_OF_A = 'a'.charCodeAt(0);

describe('the cost of a letter', () => {
  it('outside ASCII is that of any other letter', () => {
    for (const unit of [0x80, 0xe4, 0xff, 0x430]) {
      assert.equal(getSubstitutionCost(unit, CODE_OF_A, false), otherLetter.cost);
      assert.equal(getSubstitutionCost(CODE_OF_A, unit, false), otherLetter.cost);
      assert.equal(
        getSubstitutionCost(unit, CODE_OF_A, true),
        otherLetter.cost + FIRST_LETTER_RULES.far.cost,
      );
    }
  });

  it('that is too many beside one outside ASCII is that of any other letter', () => {
    for (let unit = 0x80; unit < 0x200; unit++) {
      const neighbor = String.fromCharCode(unit);
      assert.equal(getInsertionCost(`${neighbor}a`, 1), extraLetter.cost, neighbor);
      assert.equal(getInsertionCost(`xa${neighbor}`, 1), extraLetter.cost, neighbor);
    }
  });

  it('that is too many beside one of an adjacent key is lower, on either side', () => {
    assert.equal(getInsertionCost('xas', 1), adjacentKeyToo.cost);
    assert.equal(getInsertionCost('sax', 1), adjacentKeyToo.cost);
    assert.equal(getInsertionCost('xax', 1), extraLetter.cost);
  });
});

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
