import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getInsertionCost, getSubstitutionCost } from './letter-costs.ts';
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
