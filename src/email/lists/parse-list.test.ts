import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadDomainLists } from './domain-lists.ts';
import { isLargeChange, ListRefusal, parseFetchedList } from './parse-list.ts';

const lists = loadDomainLists();
const NONE = { malformed: 0, public_suffix: 0, never_disposable: 0 };

function listNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `throwaway-${at}.com`);
}

describe('parseFetchedList', () => {
  for (const [what, line] of [
    ['upper case', 'ACME.Com'],
    ['CR at the end', 'acme.com\r'],
    ['blanks around it', '\t acme.com  '],
    ['a comment after it', 'acme.com  \t# seen in May'],
    ['a comment of two slashes after it', 'acme.com // seen in May'],
    ['a wildcard', '*.acme.com'],
    ['a dot before it', '.acme.com'],
    ['an at sign before it', '@acme.com'],
    ['a wildcard address', '*@acme.com'],
    ['the dot of the root', 'acme.com.'],
  ] as const)
    it(`accepts a domain with ${what}`, async () => {
      const { names, dropped } = await parseFetchedList([...listNames(1000), line].join('\n'), lists);
      assert.equal(names.size, 1001);
      assert.ok(names.has('acme.com'));
      assert.deepEqual(dropped, NONE);
    });

  it('skips comments, blank lines and a byte order mark', async () => {
    const head = '\ufeff# a list\n// of domains\n; in use\n! today\n\n \t\r\n';
    const { names, dropped } = await parseFetchedList(head + listNames(1000).join('\r\n'), lists);
    assert.deepEqual([...names], listNames(1000));
    assert.deepEqual(dropped, NONE);
  });

  it('converts Unicode names to A-labels', async () => {
    const { names } = await parseFetchedList([...listNames(1000), 'Müllpost.de'].join('\n'), lists);
    assert.ok(names.has('xn--mllpost-n2a.de'));
  });

  it('parses a JSON array of names', async () => {
    const text = JSON.stringify([...listNames(1000), 'a\tb', 'co.uk'], null, 2);
    const { names, dropped } = await parseFetchedList(`\ufeff ${text.replace('-7', '\\u002d7')}\n`, lists);
    assert.deepEqual([...names], listNames(1000));
    assert.deepEqual(dropped, { ...NONE, malformed: 1, public_suffix: 1 });
  });

  for (const text of [
    '[]',
    '["a.com"',
    '["a.com" "b.com"]',
    '[1]',
    '[["a.com"]]',
    '["\\u00"]',
    '[\n"a.com",]',
  ])
    it(`refuses ${JSON.stringify(text)}`, () =>
      assert.rejects(parseFetchedList(text, lists), (error: Error) => {
        assert.ok(error instanceof ListRefusal);
        assert.match(error.message, /^it is no JSON array of strings, at character \d/);
        return true;
      }));

  for (const [fault, lines] of [
    ['malformed', ['<html>', 'a b.com', 'acme', '10.0.0.1', 'acme.nonsense', '-.com', 'a..com', 'a_b.com']],
    ['public_suffix', ['co.uk', 'github.io', 'com', '*.pp.ua']],
    ['never_disposable', ['Gmail.com', 'duck.com']],
  ] as const)
    it(`drops and counts what is ${fault.replace('_', ' ')}`, async () => {
      const { names, dropped } = await parseFetchedList([...lines, ...listNames(1000)].join('\n'), lists);
      assert.deepEqual([...names], listNames(1000));
      assert.deepEqual(dropped, { ...NONE, [fault]: lines.length });
    });

  it('refuses a list only if over 2 % of its entries are bad, and names the first', async () => {
    const good = ['gmail.com', ...listNames(1959)];
    const bad = Array.from({ length: 40 }, (_, at) => `bad_${at}.com`);
    assert.equal((await parseFetchedList([...good, ...bad].join('\n'), lists)).dropped.malformed, 40);
    await assert.rejects(parseFetchedList([...good, ...bad, 'github.io'].join('\n'), lists), {
      name: 'ListRefusal',
      message: '41 of its 2001 entries are bad, more than 2 %; the first is "bad_0.com"',
    });
  });

  it('refuses a list only if over 10 % of its entries are never disposable: the lists dispute some', async () => {
    const providers = [...lists.free].filter((name) => lists.neverDisposable.has(name));
    const [one = '', ...disputed] = providers.slice(0, 151);
    const names = listNames(disputed.length * 9);
    assert.ok(names.length >= 1000);
    const { dropped } = await parseFetchedList([...names, ...disputed].join('\n'), lists);
    assert.deepEqual(dropped, { ...NONE, never_disposable: disputed.length });
    await assert.rejects(parseFetchedList([...names, ...disputed, one].join('\n'), lists), {
      name: 'ListRefusal',
      message: /^151 of its 1501 entries are never disposable, more than 10 %$/,
    });
  });

  it('refuses a list with fewer than 1,000 domains', async () => {
    await assert.rejects(parseFetchedList(listNames(999).join('\n'), lists), /999 entries, fewer than 1000/);
    assert.equal((await parseFetchedList(listNames(1000).join('\n'), lists)).names.size, 1000);
  });

  it('parses a list of the largest size in slices', async () => {
    const text = listNames(400_000).join('\n');
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await parseFetchedList(text, lists);
    clearInterval(timer);
    assert.ok(turns > 20, `${turns} turns`);
  });
});

it('a change by 30 % is not large', () => {
  assert.deepEqual(
    [
      [1000, 1300],
      [1000, 700],
      [1000, 1301],
      [1000, 699],
      [0, 9999],
    ].map(([before = 0, after = 0]) => isLargeChange(before, after)),
    [false, false, true, true, false],
  );
});
