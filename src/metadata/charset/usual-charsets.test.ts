import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUsualCharsets } from './usual-charsets.ts';

/** The legacy encodings of languages. The most common one is first. */
const USUAL: Record<string, string> = {
  'ar fa': 'windows-1256',
  'be bg mk ru uk': 'windows-1251',
  'cs hr hu pl ro sk sl': 'windows-1250',
  el: 'windows-1253',
  'et lt lv': 'windows-1257',
  'he iw': 'windows-1255',
  ja: 'shift_jis',
  ko: 'euc-kr',
  th: 'windows-874',
  tr: 'windows-1254',
  vi: 'windows-1258',
  zh: 'gbk',
};

describe('the usual charsets of a language', () => {
  for (const [languages, charset] of Object.entries(USUAL))
    it(`${languages}: ${charset} before others that the platform decodes`, () => {
      for (const language of languages.split(' ')) {
        const [first, ...others] = findUsualCharsets(language) ?? [];
        assert.equal(first, charset, language);
        for (const other of others) assert.equal(new TextDecoder(other).encoding, other);
      }
    });

  it('are found for a tag with subtags, in any case', () => {
    for (const tag of ['JA', 'ja-JP', 'ja_JP', ' ja '])
      assert.deepEqual(findUsualCharsets(tag), ['shift_jis', 'euc-jp'], tag);
  });

  it('are null for languages of windows-1252 and for no language', () => {
    for (const tag of ['en', 'de-AT', 'jav', 'j', '', null]) assert.equal(findUsualCharsets(tag), null);
  });
});
