import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { detectCharset, findUsualCharsets } from './detect-charset.ts';

const NOTHING = { header: null, meta: null, language: null };

describe('the encoding of a page', () => {
  it('is UTF-8 although reading stopped inside a character of two, three or four bytes', () => {
    for (const character of ['ü', '漢', '😀']) {
      const bytes = Buffer.from(character);
      for (let kept = 1; kept < bytes.length; kept += 1) {
        const page = Buffer.concat([Buffer.from(`<p>${'größer 漢字 '.repeat(4)}`), bytes.subarray(0, kept)]);
        assert.equal(detectCharset(page, NOTHING), 'utf-8', `${character}, ${kept} bytes`);
      }
    }
  });

  it('is UTF-8 if only such a part has arrived', () => {
    assert.equal(detectCharset(Buffer.from([0xf0, 0x9f, 0x98]), NOTHING), 'utf-8');
    assert.equal(detectCharset(Buffer.alloc(0), NOTHING), 'utf-8');
  });

  it('is by the mark, then the header, then the meta, then the XML declaration', () => {
    const hints = { header: 'koi8-r', meta: 'shift_jis', language: null };
    assert.equal(detectCharset(Buffer.from('\ufeff<p>'), hints), 'utf-8');
    assert.equal(detectCharset(Buffer.from('<p>'), hints), 'koi8-r');
    assert.equal(detectCharset(Buffer.from([0x3c, 0xfc, 0x3e]), { ...hints, header: null }), 'shift_jis');
    const xml = Buffer.concat([Buffer.from('<?xml version="1.0" encoding="gb2312"?>'), Buffer.from([0xfc])]);
    assert.equal(detectCharset(xml, NOTHING), 'gbk');
  });
});

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
