import assert from 'node:assert/strict';
import { it } from 'node:test';
import { buildSuggestionIndex, countMissingLetters, getLetterSet } from './suggestion-index.ts';

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

it('divides the share of a provider among its suffixes, commonest first', () => {
  const none = { mailDomains: new Set<string>(), neighbors: new Set<string>() };
  const { rarity } = buildSuggestionIndex(['1000 acme com fr', '100 other com'], [], none);
  const share = (domain: string): number => Math.exp((rarity.get(domain) as number) / -100);
  assert.ok(Math.abs(share('acme.com') + share('acme.fr') - 0.1) < 1e-9);
  assert.ok(share('acme.com') > share('acme.fr') && share('acme.fr') > share('other.com'));
});
