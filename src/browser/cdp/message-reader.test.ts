import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seeded } from '../../../test/support/random.ts';
import { Base64Decoder } from './message-reader.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** Decodes a text that arrives in pieces of 1 to `maxPiece` characters. */
function decode(text: string, maxPiece = text.length, maxBytes = MAX_BYTES): Buffer {
  const random = seeded(text.length);
  const decoder = new Base64Decoder(maxBytes);
  for (let at = 0; at < text.length;) {
    const end = at + 1 + random(maxPiece);
    decoder.append(Buffer.from(text.slice(at, end)));
    at = end;
  }
  return decoder.finish();
}

describe('Base64Decoder', () => {
  it('decodes any length in pieces of any size', () => {
    for (let length = 0; length < 40; length += 1) {
      const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 37 + length) & 0xff));
      for (const maxPiece of [1, 3, 4, 50])
        assert.deepEqual(decode(bytes.toString('base64'), maxPiece), bytes, `${length} by ${maxPiece}`);
    }
  });

  it('decodes what is larger than its first memory, the size that is copied, and the first growth', () => {
    for (const length of [65_536, 65_537, 200_000, 1_048_576, 1_048_577, 3_000_000, MAX_BYTES]) {
      const bytes = Buffer.alloc(length, 'some bytes');
      assert.ok(decode(bytes.toString('base64'), 100_000).equals(bytes), String(length));
    }
  });

  it('refuses more than its maximum', () => {
    const text = (length: number): string => Buffer.alloc(length).toString('base64');
    assert.equal(decode(text(300), 300, 300).length, 300);
    assert.throws(() => decode(text(301), 300, 300), RangeError);
    assert.throws(() => decode(text(MAX_BYTES + 1), 100_000), RangeError);
  });

  it('refuses what is not base64', () => {
    for (const text of ['AAA', 'AA', 'A', 'AAAAA', 'AA*A', 'AA==AAAA', 'AAA=AAAA', 'A===', '===='])
      assert.throws(() => decode(text), SyntaxError, text);
  });
});
