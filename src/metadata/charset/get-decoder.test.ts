import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getDecoder } from './get-decoder.ts';

/** Decodes the bytes from `start` to the first `end` of them. */
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
