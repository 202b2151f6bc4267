import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseLanguage } from './parse-language.ts';

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
