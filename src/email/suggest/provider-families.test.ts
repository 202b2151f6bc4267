import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countMissingLetters, getLetterSet } from './provider-families.ts';

it('counts the characters that only one of two words has', () => {
  for (const [first, second, count] of [
    ['gmail', 'gmail', 0],
    ['gmail', 'gmal', 1],
    ['gmail', 'yahoo', 4],
    ['0', '1', 1],
    ['', 'abcdefghijklmnopqrstuvwxyz0123', 30],
  ] as const) {
    assert.equal(countMissingLetters(getLetterSet(first), getLetterSet(second)), count, first);
    assert.equal(countMissingLetters(getLetterSet(second), getLetterSet(first)), count, second);
  }
});
