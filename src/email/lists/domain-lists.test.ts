import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { loadDomainLists, loadEntries, SortedDomains } from './domain-lists.ts';

function createSorted(names: Iterable<string>): SortedDomains {
  return new SortedDomains(
    Buffer.from(
      [...names]
        .toSorted()
        .map((name) => `${name} d01\n`)
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

  it('has the evidence of its own entry only, also without any', () => {
    const bytes = Buffer.from('a-b.com d2aW3c\na.com\nb.com w00\n');
    const sorted = new SortedDomains(bytes);
    const list = (name: string) => sorted.listEvidence(name).map(({ says, date }) => `${says} ${date}`);
    assert.deepEqual(list('a-b.com'), ['disposable 2018-11', 'not_disposable 2022-01']);
    assert.deepEqual([list('a.com'), list('b.com'), list('c.com')], [[], ['disposable null'], []]);
    assert.deepEqual([...sorted], ['a-b.com', 'a.com', 'b.com']);
  });

  it('the bundled graded lists are at most 5 MB, and each entry explains itself', () => {
    const lists = loadDomainLists();
    const bytes = ['disposable.txt', 'suspected.txt'].map((name) => loadEntries(name).length);
    assert.ok(bytes.reduce((sum, one) => sum + one, 0) <= 5e6, String(bytes));
    for (const graded of [lists.disposable, lists.suspected])
      for (const name of graded)
        if (!lists.listEvidence(name).some(({ says }) => says === 'disposable')) assert.fail(name);
    const codes = loadEntries('never-disposable.txt').toString('latin1').trimEnd().split('\n');
    for (const line of codes) assert.match(line, /^\S+ (?:[a-zA-Z][0-9a-z]{2})+$/);
  });
});
