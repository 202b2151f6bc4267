import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Iso2022JpDecoder } from './iso-2022-jp.ts';

const decode = (text: string) => new Iso2022JpDecoder().decode(Buffer.from(text, 'latin1'));

describe('ISO-2022-JP', () => {
  it('decodes ASCII, JIS X 0208, katakana and the yen sign, between escapes', () => {
    assert.equal(decode('a\x1b$B$"%"\x1b(Bb'), 'aあアb');
    assert.equal(decode('\x1b$@F|K\\\x1b(J\\~b\x1b(I1\x1b(B\\~b'), '日本¥‾bｱ\\~b');
  });

  it('decodes malformed sequences to U+FFFD without consuming ASCII', () => {
    assert.equal(decode('\x1b$B$\x1b(B<b>'), '\uFFFD<b>');
    assert.equal(decode('\x1b[31m<'), '\uFFFD[31m<');
    assert.equal(decode('\x1b$<'), '\uFFFD$<');
    assert.equal(decode('\x1b$B\x1b(Ba'), '\uFFFDa');
    assert.equal(decode('\xff\x0e'), '\uFFFD\uFFFD');
    assert.equal(decode('a\x1b'), 'a\uFFFD');
    assert.equal(decode('a\x1b('), 'a\uFFFD(');
    assert.equal(decode('\x1b(I\x1b('), '\uFFFDｨ');
    assert.equal(decode('\x1b$B\x1b$'), '\uFFFD\uFFFD');
    assert.equal(decode('\x1b$B$\x1b('), '\uFFFD\uFFFD\uFFFD');
  });

  it('decodes all pairs that the platform decodes, to the same characters', () => {
    const platform = new TextDecoder('iso-2022-jp');
    for (let first = 0x21; first < 0x7f; first++) {
      const pairs = Array.from({ length: 94 }, (_, at) => [first, 0x21 + at]).flat();
      const bytes = Buffer.from([0x1b, 0x24, 0x42, ...pairs, 0x1b, 0x28, 0x42]);
      const own = new Iso2022JpDecoder().decode(bytes);
      // The platform handles a pair without a character differently.
      const expected = platform.decode(bytes);
      if (!expected.includes('\uFFFD')) assert.equal(own, expected, first.toString(16));
    }
  });

  it('decodes the same in chunks of one byte', () => {
    const bytes = Buffer.from('a\x1b$B$"\x1b$B%"$\x1b(Bb\x1b(J\\\x1b\x1b$x\xff', 'latin1');
    const inPieces = new Iso2022JpDecoder();
    const text = Array.from(bytes, (byte) => inPieces.decode(Uint8Array.of(byte), { stream: true })).join('');
    assert.equal(text + inPieces.decode(), new Iso2022JpDecoder().decode(bytes));
  });
});
