import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Resource } from '#browser';
import { findLinkedNames } from './link-scripts.ts';
import { type DocumentPages, PageMap } from './page-map.ts';
import { rewriteStyleSheets, rewriteTargetCounters } from './target-counters.ts';

const MEGABYTE = 1_000_000;
const MAX_SCAN_MS = 500;

describe('target-counter()', () => {
  it('is replaced with the property of links, or with their counter in its style', () => {
    const css = 'target-counter(attr(href),page)target-counter( attr( href , url ), page, Lower-Roman )';
    assert.equal(
      rewriteTargetCounters(css),
      'var(--page-number,"")if(style(--page-number): counter(--page-number,Lower-Roman); else: "")',
    );
  });

  it('stays in comments, strings and URLs, in other words, and with other arguments', () => {
    const text = 'target-counter(attr(href), page)';
    for (const css of [
      `/* ${text} */`,
      `"${text}"`,
      `'\\'${text}'`,
      `url("${text}")`,
      `my-${text}`,
      `\\${text}`,
      'target-counter(attr(data-x), page)',
      'target-counter(attr(href), chapter)',
      'target-counter(',
    ])
      assert.equal(rewriteTargetCounters(css), css);
  });

  it('is replaced in style sheets of sites, except for those that are larger than the CSS of a request', async () => {
    const css = 'p{content:target-counter(attr(href),page)}';
    const strings = '"\n'.repeat(8 * MEGABYTE);
    for (const [body, isReplaced] of [[css, true] as const, [css + strings, false] as const]) {
      const headers: Resource['headers'] = [['content-type', 'text/css']];
      const sheet: Resource = { url: 'x', status: 200, headers, body: Buffer.from(body) };
      const marks = { hasCounters: false };
      const fetchSheet = rewriteStyleSheets(() => Promise.resolve(sheet), '', marks);
      const before = process.threadCpuUsage();
      const found = (await fetchSheet({ url: 'x', method: 'GET', headers: {} })) as Resource;
      const { user, system } = process.threadCpuUsage(before);
      assert.equal(found.body.byteLength !== sheet.body.byteLength, isReplaced);
      assert.equal(marks.hasCounters, isReplaced);
      assert.ok((user + system) / 1_000 < MAX_SCAN_MS);
    }
  });

  it('is found in time proportional to the text, whatever it repeats', () => {
    for (const piece of [
      'target-counter(',
      'target-counter( attr( href ',
      'target-counter(attr(href),page,',
      '"',
      '\\',
      '/*',
      'url(',
      ' ',
      'href=#',
      'href="#',
      'href=',
    ]) {
      const text = `target-counter(${piece.repeat((2 * MEGABYTE) / piece.length)}`;
      const before = process.threadCpuUsage();
      rewriteTargetCounters(text);
      findLinkedNames(text);
      const { user, system } = process.threadCpuUsage(before);
      assert.ok((user + system) / 1_000 < MAX_SCAN_MS, `${piece}: ${(user + system) / 1_000} ms`);
    }
  });
});

it('linked names are fragments as they are in URLs', () => {
  const html = `<a href="#ä b">x</a><a href='#"q"'><A HREF=#&auml; ><a href=/x#no><a href="#">`;
  assert.deepEqual([...findLinkedNames(html)], ['%C3%A4%20b', '%22q%22', '%C3%A4']);
});

/** Returns pages of a document, on which targets are at (1, 2). */
function toPages(count: number, targets: Map<string, number>): DocumentPages {
  return {
    count,
    targets,
    locate: (name) => ({ page: targets.get(name) ?? 0, x: 1, y: 2 }),
  };
}

it('the number of a page counts those of the documents before', () => {
  const pages = new PageMap(2);
  pages.set(0, toPages(2, new Map([['x', 1]])));
  assert.equal(pages.find('y', 0), null);
  const second = new Map([
    ['y', 0],
    ['x', 2],
  ]);
  pages.set(1, toPages(3, second));
  assert.deepEqual([pages.find('y', 0), pages.find('x', 0), pages.find('x', 1)], [3, 2, 5]);
  assert.deepEqual(pages.locate('x', 1), { page: 5, x: 1, y: 2 });
  pages.set(0, toPages(4, new Map()));
  assert.equal(pages.find('x', 0), 7);
});

it('linked names are parsed once, however often a document links to them', (context) => {
  let parsed = 0;
  class CountedUrl extends URL {
    constructor(...args: ConstructorParameters<typeof URL>) {
      super(...args);
      parsed += 1;
    }
  }
  context.mock.property(globalThis, 'URL', CountedUrl);
  assert.deepEqual([...findLinkedNames('<a href="#é&amp;">'.repeat(1_000))], ['%C3%A9&']);
  assert.equal(parsed, 1);
});

it('a document that is printed again costs a look at its own targets only', () => {
  let looks = 0;
  class CountedMap extends Map<string, number> {
    override keys(): MapIterator<string> {
      looks += 1;
      return super.keys();
    }
  }
  const pages = new PageMap(3);
  for (const index of [0, 1, 2]) pages.set(index, toPages(2, new CountedMap([['x', index % 2]])));
  assert.deepEqual([pages.find('x', 0), pages.find('x', 1), pages.find('x', 2)], [1, 4, 5]);
  looks = 0;
  pages.set(0, toPages(3, new CountedMap([['y', 2]])));
  assert.deepEqual([pages.find('x', 0), pages.find('y', 1), looks], [5, 3, 2]);
  pages.set(1, toPages(1, new CountedMap()));
  assert.deepEqual([pages.find('x', 0), pages.find('none', 0), looks], [5, null, 4]);
  pages.set(2, toPages(1, new CountedMap()));
  assert.equal(pages.find('x', 0), null);
  pages.set(0, toPages(1, new CountedMap([['x', 0]])));
  assert.equal(pages.find('x', 2), 1);
});

it('a page number is looked up in its own document only, however many there are', () => {
  let lookups = 0;
  class CountedMap extends Map<string, number> {
    override get(name: string): number | undefined {
      lookups += 1;
      return super.get(name);
    }
    override has(name: string): boolean {
      lookups += 1;
      return super.has(name);
    }
  }
  const pages = new PageMap(2);
  for (let index = 0; index < 20; index += 1)
    pages.set(index, toPages(1, new CountedMap([[`name-${index}`, 0]])));
  lookups = 0;
  assert.deepEqual([pages.find('name-19', 0), pages.find('none', 0), lookups], [20, null, 3]);
});
