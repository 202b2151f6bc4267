import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  classifyInsertion,
  classifyOmission,
  classifySubstitution,
  computeTypoCost,
  findSlip,
  prepareWord,
} from './edit-cost.ts';

const NO_LIMIT = 100_000;

function code(letter: string): number {
  return letter.charCodeAt(0);
}

function cost(typed: string, meant: string, isSuffix = false): number {
  return computeTypoCost(prepareWord(typed, true, isSuffix), prepareWord(meant, false, isSuffix), NO_LIMIT);
}

describe('the error of a letter', () => {
  it('is named by shape, keyboard, ear and place', () => {
    for (const [typed, meant, error] of [
      ['1', 'l', 'similarShape'],
      ['q', 'a', 'adjacentKey'],
      ['z', 'e', 'adjacentKey'],
      ['e', 'a', 'otherVowel'],
      ['k', 'c', 'similarSound'],
      ['x', 'm', 'otherLetter'],
    ] as const)
      assert.equal(classifySubstitution(code(typed), code(meant)), error, typed + meant);
    assert.equal(classifyInsertion(code('l'), code('l'), code('')), 'doubledLetter');
    assert.equal(classifyInsertion(code('k'), code('l'), code('')), 'keyBeside');
    assert.equal(classifyInsertion(code('x'), code('i'), code('l')), 'extraLetter');
    assert.equal(classifyOmission(code('o'), code('o'), code('k')), 'oneOfPairMissing');
    assert.equal(classifyOmission(code('a'), code('m'), code('i')), 'missingVowel');
    assert.equal(classifyOmission(code('l'), code('i'), code('')), 'missingLetter');
  });
});

describe('the cost of a typo', () => {
  it('is lower for what people do more often', () => {
    assert.ok(cost('gmial', 'gmail') < cost('gmqil', 'gmail'));
    assert.ok(cost('gmqil', 'gmail') < cost('gmxil', 'gmail'));
    assert.ok(cost('gmaill', 'gmail') < cost('gmailx', 'gmail'));
    assert.ok(cost('outlok', 'outlook') < cost('outlook1', 'outlook'));
    assert.ok(cost('gmil', 'gmail') < cost('mail', 'gmail'));
    assert.ok(cost('gmila', 'gmail') < cost('gmxia', 'gmail'));
  });

  it('of two errors is more than that of both alone', () => {
    assert.ok(cost('gmiall', 'gmail') > cost('gmial', 'gmail') + cost('gmaill', 'gmail'));
  });

  it('differs in a suffix', () => {
    assert.notEqual(cost('con', 'com', true), cost('con', 'com'));
  });

  it('of exactly the limit is computed, and of a lower limit only that it is over', () => {
    for (const [typed, meant] of [
      ['bacd', 'abcd'],
      ['gmial', 'gmail'],
      ['gmila', 'gmail'],
      ['yaooh', 'yahoo'],
      ['acd', 'abcd'],
      ['abbcd', 'abcd'],
      ['hotmial', 'hotmail'],
      ['otmailh', 'hotmail'],
    ] as const) {
      const exact = cost(typed, meant);
      const [first, second] = [prepareWord(typed, true, false), prepareWord(meant, false, false)];
      assert.ok(exact > 0 && exact < NO_LIMIT);
      assert.equal(computeTypoCost(first, second, exact), exact, typed);
      assert.ok(computeTypoCost(first, second, exact - 1) > exact - 1, typed);
    }
  });

  it('of an equal word is 0, and a word of over 32 letters is never compared', () => {
    assert.equal(cost('gmail', 'gmail'), 0);
    const long = 'a'.repeat(33);
    assert.equal(
      computeTypoCost(prepareWord(`${long}b`, true, false), prepareWord(long, false, false), 100),
      101,
    );
  });

  it('of a letter outside ASCII is that of any other letter', () => {
    for (const letter of ['\u0080', 'ä', 'а'])
      assert.equal(cost(`gm${letter}il`, 'gmail'), cost('gm9il', 'gmail'));
  });
});

it('a slip is a doubled letter, one of a pair missing or two letters swapped', () => {
  for (const typed of ['hotmaill', 'hottmail', 'hotmial'])
    assert.equal(findSlip(typed, 'hotmail'), true, typed);
  assert.equal(findSlip('outlok', 'outlook'), true);
  for (const typed of ['hotmail', 'hotmai', 'hotnail', 'hotmailx'])
    assert.equal(findSlip(typed, 'hotmail'), false, typed);
});
