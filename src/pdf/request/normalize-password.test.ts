import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizePassword } from './option-members.ts';

void describe('a password', () => {
  const same = [
    'correct horse',
    '()<>\\/%"\'',
    'Größe-Ωμέγα',
    '密码パス',
    '🔑🦊'.repeat(15),
    'שלום',
    'سلام',
    'سر1سر',
  ];
  for (const password of same)
    void it(`stays as it is: ${JSON.stringify(password)}`, () => {
      assert.equal(normalizePassword(password), password);
    });

  void it('gets its accents composed, as keyboards type them', () => {
    assert.equal(normalizePassword('e\u0301te\u0301'), 'été');
  });

  const refused: Record<string, string> = {
    'a control character': 'a\u0000b',
    'a line break': 'a\nb',
    'a soft hyphen': 'a\u00ADb',
    'a joined emoji': '👩\u200D💻',
    'a variation selector': '❤\uFE0F',
    'a blank of another width': 'a\u00A0b',
    'a ligature': 'o\uFB03ce',
    'full-width letters': 'ｐａｓｓ',
    'half a surrogate pair': 'a\uD800',
    'a character for private use': 'a\uE000',
    'a non-character': 'a\uFFFE',
    'a mark of direction': 'a\u202Eb',
    'letters of both directions': 'pass שלום',
    'a right-to-left text that ends with a digit': 'שלום1',
  };
  for (const [fault, password] of Object.entries(refused))
    void it(`is refused for ${fault}`, () => {
      assert.equal(normalizePassword(password), null);
    });

  void it('is checked in time that grows with its length', () => {
    assert.equal(normalizePassword('ש'.repeat(500_000) + 'a'), null);
  });
});
