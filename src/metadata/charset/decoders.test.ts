/** Decodes the bytes from `start` to the first `end` of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Iso2022JpDecoder, getDecoder } from './decoders.ts';

function decode(charset: string, bytes: number[], start = 0, end = bytes.length): string {
  return getDecoder(charset)(Buffer.from(bytes), start, end);
}

describe('the decoder of a part of a page', () => {
  it('decodes the part alone', () => {
    assert.equal(decode('utf-8', [0x61, 0xc3, 0xa9, 0x62, 0xc3, 0xa9], 1, 4), 'éb');
    assert.equal(decode('windows-1252', [0xe9, 0x61, 0xe9, 0x62, 0xe9], 1, 3), 'aé');
    assert.equal(decode('shift_jis', [0x82, 0xa0, 0x61, 0x82, 0xa2], 3), 'い');
    assert.equal(decode('shift_jis', [0x61, 0x62, 0x82, 0xa0], 0, 2), 'ab');
  });

  it('keeps a byte order mark', () => {
    assert.equal(decode('utf-8', [0xef, 0xbb, 0xbf, 0x61]), '\ufeffa');
    assert.equal(decode('utf-16le', [0xff, 0xfe, 0x61, 0x00]), '\ufeffa');
  });

  it('decodes malformed sequences to U+FFFD, at the end as before a delimiter', () => {
    assert.equal(decode('utf-8', [0xc3, 0x3c], 0, 1), '\ufffd');
    assert.equal(decode('shift_jis', [0x82, 0xa0, 0x82], 0, 3), 'あ\ufffd');
    assert.equal(decode('shift_jis', [0x82, 0x22], 0, 1), '\ufffd');
    assert.equal(decode('shift_jis', [0x82, 0xa0, 0x82, 0x22], 0, 3), 'あ\ufffd');
    assert.equal(decode('shift_jis', [0x82, 0xa0, 0x81], 0, 2), 'あ');
  });
});

const decodeIso2022Jp = (text: string) => new Iso2022JpDecoder().decode(Buffer.from(text, 'latin1'));

describe('ISO-2022-JP', () => {
  it('decodes ASCII, JIS X 0208, katakana and the yen sign, between escapes', () => {
    assert.equal(decodeIso2022Jp('a\x1b$B$"%"\x1b(Bb'), 'aあアb');
    assert.equal(decodeIso2022Jp('\x1b$@F|K\\\x1b(J\\~b\x1b(I1\x1b(B\\~b'), '日本¥‾bｱ\\~b');
  });

  it('decodes malformed sequences to U+FFFD without consuming ASCII', () => {
    assert.equal(decodeIso2022Jp('\x1b$B$\x1b(B<b>'), '\uFFFD<b>');
    assert.equal(decodeIso2022Jp('\x1b[31m<'), '\uFFFD[31m<');
    assert.equal(decodeIso2022Jp('\x1b$<'), '\uFFFD$<');
    assert.equal(decodeIso2022Jp('\x1b$B\x1b(Ba'), '\uFFFDa');
    assert.equal(decodeIso2022Jp('\xff\x0e'), '\uFFFD\uFFFD');
    assert.equal(decodeIso2022Jp('a\x1b'), 'a\uFFFD');
    assert.equal(decodeIso2022Jp('\x1b$B$"\x1b(B\x1b$B%"\x1b(B'), 'あ\uFFFDア');
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
      assert.equal(text + decoder.decode(), decodeIso2022Jp(written));
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
