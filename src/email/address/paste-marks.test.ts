import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasPasteMarks, MAX_REPAIRED_LENGTH, removePasteMarks } from './paste-marks.ts';

/** Texts that are `ann@gmail.com` without their marks. */
const MARKED: Record<string, string[]> = {
  'quotation marks of any script': [
    '“ann@gmail.com',
    '“ann@gmail.com”',
    '„ann@gmail.com“',
    '«ann@gmail.com»',
    '‹ann@gmail.com›',
    '‘ann’@gmail.com',
    '《ann@gmail.com》',
    '「ann@gmail.com」',
    '＂ann@gmail.com＂',
  ],
  'straight quotation marks, apostrophes and backticks': [
    '"ann@gmail.com"',
    "'ann@gmail.com'",
    "'ann'@gmail.com",
    "ann'@gmail.com",
    '`ann@gmail.com`',
    '"ann@gmail.com',
  ],
  brackets: ['<ann@gmail.com>', '(ann@gmail.com)', '[ann@gmail.com]', '(ann)@gmail.com', '{ann@gmail.com}'],
  'bullets and numbers of lists': [
    '•ann@gmail.com',
    '• ann@gmail.com',
    '–ann@gmail.com',
    '- ann@gmail.com',
    '* ann@gmail.com',
    '> ann@gmail.com',
    '12. ann@gmail.com',
    '3) ann@gmail.com',
    '✉ ann@gmail.com',
  ],
  'a name in parentheses': [
    'ann@gmail.com (Ann)',
    'ann@gmail.com(Ann Lee)',
    'ann@gmail.com （安）',
    '(Ann) ann@gmail.com',
    'ann@gmail.com [work].',
  ],
  'punctuation at its end': [
    'ann@gmail.com.',
    'ann@gmail.com,',
    'ann@gmail.com…',
    'ann@gmail.com。',
    'ann@gmail.com!)',
    'ann@gmail.com/',
    'ann@gmail.com@',
  ],
  'Markdown and links': [
    '*ann@gmail.com*',
    '__ann@gmail.com__',
    'mailto:ann@gmail.com',
    '[ann@gmail.com](mailto:ann@gmail.com)',
  ],
  'characters without a width': [
    'an\u200bn@gmail.com',
    'ann\u00ad@gmail.com',
    '\u202aann@gmail.com\u202c',
    'ann@gm\u2060ail.com',
  ],
  'several of them': ['• “ann@gmail.com” (Ann).', '<“ann”@gmail.com>;'],
};

/** Addresses, and texts that are malformed in other ways. */
const KEPT = [
  'ann@gmail.com',
  "o'neil@gmail.com",
  '*@gmail.com',
  '*ann@gmail.com',
  '-ann@gmail.com',
  '_ann_@gmail.com',
  'ann+x@gmail.com',
  '"ann"@gmail.com',
  '"“ann” lee"@gmail.com',
  'об’єкт@почта.укр',
  'l·l.ann@gmail.com',
  '😀@gmail.com',
  'zoë@münchen.de',
  'क्‍ष@gmail.com',
  'ann@[192.0.2.1]',
  'ann@[IPv6:2001:db8::1]',
  'ann..b@gmail.com',
  'ann@gmail,com',
  'ann @gmail.com',
  'ann@',
  '@gmail.com',
  'n/a',
];

describe('the marks of pasting', () => {
  for (const [what, texts] of Object.entries(MARKED))
    it(`are ${what}`, () => {
      const got = texts.map((text) => [text, removePasteMarks(text), hasPasteMarks(text)]);
      assert.deepEqual(
        got,
        texts.map((text) => [text, 'ann@gmail.com', true]),
      );
    });

  it('are an apostrophe of print between letters, which becomes a straight one', () => {
    assert.equal(removePasteMarks('o’neil@gmail.com'), "o'neil@gmail.com");
    assert.equal(removePasteMarks('d´arcy@gmail.com'), "d'arcy@gmail.com");
  });

  it('are nothing that an address may have', () => {
    assert.deepEqual(
      KEPT.filter((text) => hasPasteMarks(text)),
      [],
    );
  });

  it('are removed in time that grows no faster than the text, up to the longest that is repaired', () => {
    for (const char of `"'*_~([{<“’•@-.,; \t1a\u200b`) {
      const text = `${char.repeat(MAX_REPAIRED_LENGTH - 6)}@b.com`;
      const startedAt = process.cpuUsage();
      for (let run = 0; run < 20; run += 1) removePasteMarks(text);
      const { user } = process.cpuUsage(startedAt);
      assert.ok(user < 20 * 5000, `${JSON.stringify(char)}: ${user / 20} µs`);
    }
    assert.ok(!hasPasteMarks(`“${'a'.repeat(MAX_REPAIRED_LENGTH)}@b.com`), 'a longer text is not read');
  });
});
