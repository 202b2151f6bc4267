import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAcceptLanguage, parseLanguage } from './parse-language.ts';

it('language tags become canonical; what names no single language is null', () => {
  const tags: [given: string, tag: string | null][] = [
    ['en', 'en'],
    ['EN-us', 'en-US'],
    ['en_GB', 'en-GB'],
    ['en-UK', 'en-GB'],
    ['iw', 'he'],
    ['zh-cmn-Hans', 'zh-Hans'],
    ['zh-cmn-Hans-CN', 'zh-Hans-CN'],
    ['zh_Hant_TW', 'zh-Hant-TW'],
    ['sr-Latn-rs', 'sr-Latn-RS'],
    ['pt-br', 'pt-BR'],
    ['es-419', 'es-419'],
    ['de-1996', 'de-1996'],
    ['tl', 'fil'],
    [' fr ', 'fr'],
    ['zh-yue-HK', 'yue-HK'],
    ['en-usa', 'en'],
    ['i-klingon', 'tlh'],
    ['i_LUX', 'lb'],
    ['no-nyn', 'nn'],
    ['en-GB-oed', 'en-GB-oxendict'],
    ['i-default', null],
    ['english', null],
    ['zxx', null],
    ['mul', null],
    ['xx', null],
    ['und', null],
    ['x-default', null],
    ['en, fr', null],
    ['en;q=1', null],
    ['', null],
    ['-', null],
    ['{{ lang }}', null],
    ['a'.repeat(100), null],
  ];
  for (const [given, tag] of tags) assert.equal(parseLanguage(given), tag, given);
});

const GOOD: [text: string, canonical: string | null][] = [
  ['', null],
  ['de', 'de'],
  ['DE-ch', 'de-CH'],
  ['zh-hant-TW', 'zh-Hant-TW'],
  ['iw', 'he'],
  ['*', '*'],
  ['sr-latn-rs', 'sr-Latn-RS'],
  ['es-419', 'es-419'],
  ['de-CH-1996', 'de-CH-1996'],
  ['yue', 'yue'],
  ['de-x-a', 'de-x-a'],
  ['de-CH, de;q=0.9, *;q=0.1', 'de-CH, de;q=0.9, *;q=0.1'],
  ['de-CH,de;q=0.9', 'de-CH, de;q=0.9'],
  ['en ; q=0.50,de', 'de, en;q=0.5'],
  ['en;Q=1.000', 'en'],
  ['fr, de', 'fr, de'],
  ['de, DE;q=0.5, fr', 'de, fr'],
  ['fr;q=0', 'fr;q=0'],
];

const BAD = [
  ' ',
  ',',
  'de,',
  'de_CH',
  'englishlanguage',
  'd',
  'de;q=2',
  'de;q=1.1',
  'de;q=0.1234',
  'de;q=-1',
  'de;q=',
  'de;x=1',
  'de\r\nx: y',
  'de\n',
  'dé',
  '*-CH',
  'zh-yue',
  'i-klingon',
  'x-foo',
  'abcd',
  Array(11).fill('de').join(','),
  'de,'.repeat(60),
  `x-${'a-'.repeat(40)}a`,
];

describe('the parameter language', () => {
  for (const [text, canonical] of GOOD)
    it(`${JSON.stringify(text)} is sent as ${JSON.stringify(canonical)}`, () => {
      assert.equal(parseAcceptLanguage(text), canonical);
      // The form that is sent is its own canonical form: it is part of the cache key.
      if (canonical !== null) assert.equal(parseAcceptLanguage(canonical), canonical);
    });

  for (const text of BAD)
    it(`${JSON.stringify(text.slice(0, 30))} is refused`, () => {
      assert.throws(() => parseAcceptLanguage(text), {
        code: 'invalid_parameter',
        param: 'language',
        message: /BCP 47 tags/,
      });
    });
});
