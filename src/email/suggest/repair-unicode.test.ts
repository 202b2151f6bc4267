import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toASCII } from 'tr46';
import { repairUnicodeTopLevel, showInUnicode } from './repair-unicode.ts';

const TOP_LEVELS = ['рф', 'укр', 'бел', 'срб', 'мкд', 'рус', 'москва', 'онлайн', 'сайт', 'ελ', 'ею'];

describe('a top-level domain in another script', () => {
  for (const name of TOP_LEVELS)
    it(`is corrected if its last letter is doubled: ${name}`, () => {
      assert.equal(repairUnicodeTopLevel(`name.${name}${name.at(-1)}`), toASCII(`name.${name}`));
    });

  it('stays if it exists, or if none is meant', () => {
    for (const domain of [...TOP_LEVELS.map((name) => `name.${name}`), 'name.щщщщ', 'name.con', 'рфф'])
      assert.equal(repairUnicodeTopLevel(domain), null, domain);
  });
});

it('a domain is shown in Unicode only if it has characters beyond ASCII', () => {
  assert.equal(showInUnicode('xn--mnchen-3ya.de'), 'münchen.de');
  assert.equal(showInUnicode('münchen.de'), 'münchen.de');
  assert.equal(showInUnicode('example.com'), null);
});
