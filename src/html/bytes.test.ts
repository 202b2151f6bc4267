import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isLetter, isNameEnd, isSpace } from './bytes.ts';

/** Lists the bytes that belong to a class, as text. */
const listBytes = (isMember: (byte: number) => boolean): string =>
  Array.from({ length: 256 }, (_, byte) => byte)
    .filter(isMember)
    .map((byte) => String.fromCharCode(byte))
    .join('');

it('the classes of bytes have exactly the members that HTML gives them', () => {
  assert.equal(listBytes(isSpace), '\t\n\f\r ');
  assert.equal(listBytes(isNameEnd), '\t\n\f\r />');
  assert.equal(listBytes(isLetter), 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
});
