import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { trimAddress } from './trim-address.ts';

const ZERO_WIDTH_SPACE = 0x200b;
const NEXT_LINE = 0x85;
const BYTE_ORDER_MARK = 0xfeff;

/** Unicode White_Space, U+200B and U+FEFF. */
function isBlank(unit: number): boolean {
  return (
    /\p{White_Space}/u.test(String.fromCharCode(unit)) ||
    [ZERO_WIDTH_SPACE, NEXT_LINE, BYTE_ORDER_MARK].includes(unit)
  );
}

describe('trimAddress', () => {
  it('removes white space and zero-width spaces, alone and between each other, and nothing else', () => {
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const char = String.fromCharCode(unit);
      const name = unit.toString(16);
      const [alone, between] = [`${char}a${char}`, `\u200b${char}\u200ba@b${char}\u200b${char}`];
      assert.equal(trimAddress(alone), isBlank(unit) ? 'a' : alone, name);
      assert.equal(
        trimAddress(between),
        isBlank(unit) ? 'a@b' : `${char}\u200ba@b${char}\u200b${char}`,
        name,
      );
    }
  });

  it('keeps what is inside, and is empty without more', () => {
    assert.equal(trimAddress(' a \u200b b '), 'a \u200b b');
    assert.equal(trimAddress(' \u200b\u0085 '), '');
    assert.equal(trimAddress(''), '');
  });
});
