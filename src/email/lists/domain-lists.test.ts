import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SortedDomains } from './domain-lists.ts';

function createSorted(names: Iterable<string>): SortedDomains {
  return new SortedDomains(
    Buffer.from(
      [...names]
        .toSorted()
        .map((name) => `${name}\n`)
        .join(''),
    ),
  );
}

describe('SortedDomains', () => {
  const label = fc.string({
    unit: fc.constantFrom('-', '.', '0', '9', 'a', 'b', 'z'),
    minLength: 1,
    maxLength: 5,
  });

  it('has what a set of the same domains has', () => {
    fc.assert(
      fc.property(fc.uniqueArray(label, { maxLength: 40 }), fc.array(label), (listed, others) => {
        const sorted = createSorted(listed);
        const set = new Set(listed);
        for (const name of [...listed, ...others, '', 'zz.zz'])
          assert.equal(sorted.has(name), set.has(name), name);
      }),
    );
  });

  it('counts and lists its domains in order', () => {
    const sorted = createSorted(['b.com', 'a.com', 'a-b.com', 'a.co']);
    assert.equal(sorted.size, 4);
    assert.deepEqual([...sorted], ['a-b.com', 'a.co', 'a.com', 'b.com']);
    assert.deepEqual([createSorted([]).size, [...createSorted([])]], [0, []]);
  });

  it('has no part of a domain', () => {
    const sorted = createSorted(['acme.com', 'acme.com.br']);
    for (const name of ['acme', 'acme.co', 'cme.com', 'acme.com.', 'acme.com.b'])
      assert.equal(sorted.has(name), false, name);
  });
});
