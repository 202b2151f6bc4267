import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { detectCharset } from './detect-charset.ts';

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
