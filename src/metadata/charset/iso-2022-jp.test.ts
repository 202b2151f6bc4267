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
    assert.equal(decode('\x1b$B$"\x1b(B\x1b$B%"\x1b(B'), 'あ\uFFFDア');
  });

  it('decodes the same in chunks of one byte', () => {
    for (const written of [
      'a\x1b$B$"\x1b$B%"$\x1b(Bb\x1b(J\\\x1b\x1b$x\xff',
      'a\x1b$B$"\x1b(B\x1b$B%"\x1b(Bb\x1b(B\x1b$B$"\x1b(B',
      '\x1b$<b>a\x1b(Bb\x1b',
    ]) {
      const bytes = Buffer.from(written, 'latin1');
      const decoder = new Iso2022JpDecoder();
      const text = Array.from(bytes, (byte) => decoder.decode(Uint8Array.of(byte), { stream: true })).join(
        '',
      );
      assert.equal(text + decoder.decode(), decode(written));
    }
  });

  it('decodes each part that has returned to ASCII as soon as it arrives', () => {
    const decoder = new Iso2022JpDecoder();
    const pieces = ['a\x1b$B$"', '%"\x1b(B', '<', '\x1b$B$', '"\x1b(B>'].map((piece) =>
      decoder.decode(Buffer.from(piece, 'latin1'), { stream: true }),
    );
    assert.deepEqual(pieces, ['a', '', 'あア<', '', 'あ>']);
  });
});
