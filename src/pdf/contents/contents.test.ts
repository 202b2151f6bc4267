import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatPageNumber, toCounterStyle, toNumberProperty } from './counter-styles.ts';
import { findLinkedNames } from './contents-marks.ts';
import { PageMap } from './page-map.ts';
import { rewriteStyleElements, rewriteTargetCounters } from './target-counters.ts';

const MEGABYTE = 1_000_000;
const MAX_SCAN_MS = 500;

describe('target-counter()', () => {
  const rewrite = (css: string): string => rewriteTargetCounters(css, new Set());

  it('is replaced with the property of its counter style', () => {
    const styles = new Set<string>();
    const css = 'target-counter(attr(href),page)target-counter( attr( href , url ), page, Lower-Roman )';
    assert.equal(
      rewriteTargetCounters(css, styles),
      'var(--page-number,"")var(--page-number-lower-roman,"")',
    );
    assert.deepEqual([...styles], ['decimal', 'lower-roman']);
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
      assert.equal(rewrite(css), css);
  });

  it('is replaced only in style elements of a document', () => {
    const text = 'target-counter(attr(href), page)';
    const html = `<p title="${text}">${text}<style>a{content:${text}}</style><!--<style>${text}</style>-->`;
    assert.equal(
      rewriteStyleElements(html, new Set()),
      html.replace(`content:${text}`, 'content:var(--page-number,"")'),
    );
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
      rewrite(text);
      rewriteStyleElements(`<style>${text}`, new Set());
      findLinkedNames(text);
      const { user, system } = process.threadCpuUsage(before);
      assert.ok((user + system) / 1_000 < MAX_SCAN_MS, `${piece}: ${(user + system) / 1_000} ms`);
    }
  });
});

it('page numbers have counter styles', () => {
  const format = (style: string): string[] =>
    [1, 4, 26, 27, 99, 702, 3_999, 4_000].map((page) => formatPageNumber(page, style));
  assert.deepEqual(format('upper-roman'), ['I', 'IV', 'XXVI', 'XXVII', 'XCIX', 'DCCII', 'MMMCMXCIX', '4000']);
  assert.deepEqual(format('lower-alpha'), ['a', 'd', 'z', 'aa', 'cu', 'zz', 'ewu', 'ewv']);
  assert.deepEqual(format('decimal-leading-zero').slice(0, 3), ['01', '04', '26']);
  assert.equal(toCounterStyle('constructor'), 'decimal');
  assert.equal(toNumberProperty('decimal'), '--page-number');
});

it('linked names are fragments as they are in URLs', () => {
  const html = `<a href="#ä b">x</a><a href='#"q"'><A HREF=#&auml; ><a href=/x#no><a href="#">`;
  assert.deepEqual([...findLinkedNames(html)], ['%C3%A4%20b', '%22q%22', '%C3%A4']);
});

it('the number of a page counts those of the documents before', () => {
  const pages = new PageMap(2);
  pages.set(0, { count: 2, targets: new Map([['x', 1]]) });
  assert.equal(pages.find('y', 0), null);
  pages.set(1, {
    count: 3,
    targets: new Map([
      ['y', 0],
      ['x', 2],
    ]),
  });
  assert.deepEqual([pages.find('y', 0), pages.find('x', 0), pages.find('x', 1)], [3, 2, 5]);
  pages.set(0, { count: 4, targets: new Map() });
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
    override [Symbol.iterator](): MapIterator<[string, number]> {
      looks += 1;
      return super[Symbol.iterator]();
    }
  }
  const pages = new PageMap(3);
  for (const index of [0, 1, 2]) pages.set(index, { count: 2, targets: new CountedMap([['x', index % 2]]) });
  assert.deepEqual([pages.find('x', 0), pages.find('x', 1), pages.find('x', 2)], [1, 4, 5]);
  looks = 0;
  pages.set(0, { count: 3, targets: new CountedMap([['y', 2]]) });
  assert.deepEqual([pages.find('x', 0), pages.find('y', 1), looks], [5, 3, 1]);
  pages.set(1, { count: 1, targets: new CountedMap() });
  assert.deepEqual([pages.find('x', 0), pages.find('none', 0), looks], [5, null, 2]);
  pages.set(2, { count: 1, targets: new CountedMap() });
  assert.equal(pages.find('x', 0), null);
  pages.set(0, { count: 1, targets: new CountedMap([['x', 0]]) });
  assert.equal(pages.find('x', 2), 1);
});

it('a page number is looked up in its own document only, however many there are', () => {
  let lookups = 0;
  class CountedMap extends Map<string, number> {
    override get(name: string): number | undefined {
      lookups += 1;
      return super.get(name);
    }
  }
  const pages = new PageMap(2);
  for (let index = 0; index < 20; index += 1)
    pages.set(index, { count: 1, targets: new CountedMap([[`name-${index}`, 0]]) });
  assert.deepEqual([pages.find('name-19', 0), pages.find('none', 0), lookups], [20, null, 2]);
});
