import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repairAddress } from './suggest-address.ts';

/** Texts, with the local part and the first candidate for the domain. */
const REPAIRED: [text: string, localPart: string, domain: string][] = [
  ['mailto:ann@gmail.com', 'ann', 'gmail.com'],
  ['mailto:ann@gmail.com?subject=Hello', 'ann', 'gmail.com'],
  ['Ann Lee <ann@gmail.com>', 'ann', 'gmail.com'],
  ['“ann@gmail.com”.', 'ann', 'gmail.com'],
  ['ann＠gmail.com', 'ann', 'gmail.com'],
  ['a＠b@gmail.com,', 'a＠b', 'gmail.com'],
  ['"ann@gmail.com"', 'ann', 'gmail.com'],
  ['(a"@gmail.com', 'a', 'gmail.com'],
  ['ann(at)gmail.com', 'ann', 'gmail.com'],
  ['a(at)b@gmail.com,', 'a(at)b', 'gmail.com'],
  ['ann at gmail dot com', 'ann', 'gmail.com'],
  ['ann@gmail[dot]com', 'ann', 'gmail.com'],
  ['"a b"@gmail,com', '"a b"', 'gmail.com'],
  ['ann @ gmail.com', 'ann', 'gmail.com'],
  ['ann@@gmail.com', 'ann', 'gmail.com'],
  ['ann@http://gmail.com', 'ann', 'gmail.com'],
  ['ann@www.gmail.com.', 'ann', 'gmail.com'],
  ['ann@GMAIL,COM', 'ann', 'gmail.com'],
  ['ann@gmail..com', 'ann', 'gmail.com'],
  ['ann@-online.de', 'ann', '-online.de'],
  ['ann@example.org@example.org', 'ann', 'example.org'],
  ['a@example.org@example.org', 'a', 'example.org'],
  ['ann@gmail@com', 'ann', 'gmail.com'],
  ['a@gmail@com', 'a', 'gmail.com'],
  ['ann@gmail@gmail.com', 'ann', 'gmail.com'],
  ['ann#gmail.com', 'ann', 'gmail.com'],
];

/** Texts, and whether only dots, commas, blanks and the like were repaired. */
const PLAIN: [text: string, isPlain: boolean][] = [
  ['ann@gmail,com', true],
  ['ann@gmail. com', true],
  ['ann@gm/ail.com', false],
  ['ann@-online.de', false],
  ['ann@gmail-.com', false],
  ['ann#gmail.com', false],
  ['ann@gmail@com', false],
];

describe('a malformed address', () => {
  for (const [text, localPart, domain] of REPAIRED)
    it(`${text} is repaired`, () => {
      const repaired = repairAddress(text);
      assert.deepEqual([repaired?.localPart, repaired?.domains[0]], [localPart, domain]);
    });

  for (const [text, isPlain] of PLAIN)
    it(`${text} is ${isPlain ? 'repaired for any domain' : 'repaired for providers only'}`, () => {
      assert.equal(repairAddress(text)?.isPlain, isPlain);
    });

  it('has a dot, nothing, or a dot for each blank in place of stray characters', () => {
    assert.deepEqual(repairAddress('ann@g mail,com')?.domains, ['gmail.com', 'gmailcom', 'g.mail.com']);
  });

  it('is not repaired without a local part or a domain, or if it is too long', () => {
    for (const text of ['', 'ann', '@gmail.com', 'ann@', 'ann@,', 'ann@..', 'ann@='])
      assert.equal(repairAddress(text), null, text);
    const longest = `${'a'.repeat(310)}@gmail.com`;
    assert.equal(longest.length, 320);
    assert.notEqual(repairAddress(longest), null);
    assert.equal(repairAddress(`a${longest}`), null);
  });
});
