import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeAddress, splitLocalPart } from './normalize-address.ts';
import { parseAddress } from './parse-address.ts';

/** The address, its normalized form, the local part without the tag, and the tag. */
const CASES: [string, string, string, string | null][] = [
  ['Ann@Example.ORG', 'Ann@example.org', 'Ann', null],
  ['Ann+News@Example.ORG', 'Ann+News@example.org', 'Ann', 'News'],
  ['a+b+c@example.org', 'a+b+c@example.org', 'a', 'b+c'],
  ['+a@example.org', '+a@example.org', '+a', null],
  ['a+@example.org', 'a+@example.org', 'a', ''],
  ['A.n.n+x@gmail.com', 'ann@gmail.com', 'A.n.n', 'x'],
  ['ANN@googlemail.com', 'ann@gmail.com', 'ANN', null],
  ['Ann.Lee+x@outlook.com', 'ann.lee@outlook.com', 'Ann.Lee', 'x'],
  ['ann-shop@yahoo.com', 'ann@yahoo.com', 'ann', 'shop'],
  ['ann+x@yahoo.com', 'ann+x@yahoo.com', 'ann+x', null],
  ['A_n.n-x+y@protonmail.com', 'annx@proton.me', 'A_n.n-x', 'y'],
  ['"ann"@example.org', 'ann@example.org', 'ann', null],
  ['"a\\nn"@example.org', 'ann@example.org', 'ann', null],
  ['"a b"@example.org', '"a b"@example.org', 'a b', null],
  ['"a\\"b"@example.org', '"a\\"b"@example.org', 'a"b', null],
  ['".a"@example.org', '".a"@example.org', '.a', null],
  ['ann@münchen.de', 'ann@xn--mnchen-3ya.de', 'ann', null],
  ['用户@example.org', '用户@example.org', '用户', null],
  ['Ann@[IPv6:2001:DB8::1]', 'Ann@[ipv6:2001:db8::1]', 'Ann', null],
];

describe('normalizeAddress', () => {
  for (const [text, normalized, user, tag] of CASES) {
    it(`${text} → ${normalized}`, () => {
      const address = parseAddress(text);
      assert.ok(typeof address === 'object');
      assert.equal(normalizeAddress(address), normalized);
      assert.deepEqual(splitLocalPart(address), { user, tag });
      const again = parseAddress(normalized);
      assert.ok(typeof again === 'object');
      assert.equal(normalizeAddress(again), normalized, 'idempotent');
    });
  }
});
