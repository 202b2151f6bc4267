/** Pages whose details could cost much more time or memory than the page. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countCharacters } from '../../src/http/v1/metadata-result.ts';
import { isFasterThan } from '../support/cpu-time.ts';
import { describeBytes, pageHead } from './describe-bytes.ts';

const many = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);
const list = (count: number, format: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => format(at));
const jsonLd = (text: string) => `<script type="application/ld+json">${text}</script>`;

const references = (id: string) => list(50, () => `{"@id":"${id}"}`).join(',');

const AUTHORS =
  'author article:author parsely-author sailthru.author byl citation_author dc.creator book:author';
const TIMES =
  'article:published_time datepublished parsely-pub-date sailthru.date pubdate date og:updated_time lastmod';
/** Longer lists of keys are ignored. */
const TAGS = list(33, (at) => `og:${at}`).join(' ');
const APPS = 'al:ios:url al:iphone:url al:ipad:url al:android:url al:web:url twitter:app:url:ipad';

const PAGES: Readonly<Record<string, string>> = {
  'articles with authors': jsonLd(
    `[${list(1_600, () => '{"@type":"Article","author":[{"name":["a","b"]}]}').join(',')}]`,
  ),
  'authors without a name': jsonLd(
    `{"@type":"Article","author":[${list(9_000, () => '{"a":1}').join(',')}]}`,
  ),
  'nodes that refer to each other': jsonLd(
    `[${list(900, (at) => `{"@id":"#${at % 9}","@type":"Article","name":{"@id":"#${(at + 1) % 9}"},"author":[{"@id":"#${(at + 2) % 9}"}]}`).join(',')}]`,
  ),
  'references that multiply': jsonLd(
    `[${list(50, () => `{"@type":"Article","author":[${references('#b')}]}`).join(',')},${['bc', 'cd', 'de'].map(([id, name]) => `{"@id":"#${id}","name":[${references(`#${name}`)}]}`).join(',')}]`,
  ),
  'names in lists in lists': jsonLd(
    `{"@type":"Article","author":${'[["a:b",'.repeat(15)}0${']]'.repeat(15)}}`,
  ),
  'images that are none': jsonLd(
    `{"@type":"Article","image":[${list(50, () => `{"url":[${list(90, () => '"javascript:x"').join(',')}]}`).join(',')}]}`,
  ),
  'damaged JSON': jsonLd(`["${many('\n\\x', 90_000)}",]`),
  'damaged blocks': list(50, () => jsonLd(`["${many('\n\\x', 1_900)}",/**/]`)).join(''),
  'blank metas with many keys': list(
    4,
    () => `<meta property="${AUTHORS}" content="${many(' ', 500_000)}">`,
  ).join(''),
  'long names': many(`<meta property="${AUTHORS}" content="${many('<a ', 1_500)}">`, 2_000_000),
  'character references': list(
    4,
    () => `<meta property="${TIMES}" content="${many('&amp;', 500_000)}">`,
  ).join(''),
  dates: many(`<meta property="${TIMES}" content="2026-01-01 ${many(' ', 80)}x">`, 2_000_000),
  tags: many(`<meta property="${TAGS}" content="${many('x', 1_500)}">`, 2_000_000),
  'blank tags': list(4, () => `<meta property="${TAGS}" content="${many(' ', 500_000)}">`).join(''),
  keywords: `<meta name=keywords content="${many('a,', 2_000_000)}">`,
  'app links': many(`<meta property="${APPS}" content="javascript:${many('x', 1_800)}">`, 2_000_000),
  'an app banner': many(`<meta name="apple-itunes-app" content="${many(' app-id=', 1_800)}">`, 2_000_000),
  links: many(
    `<link rel="alternate canonical image_src icon" hreflang="${many('xx-', 100)}" href="javascript:${many('x', 1_500)}">`,
    2_000_000,
  ),
};

describe('the details of a hostile page', () => {
  for (const [name, text] of Object.entries(PAGES)) {
    it(`${name}: cost time in proportion to the page`, () => {
      const bytes = Buffer.from(`<title>T</title>${text}`);
      const head = pageHead('https://pages.example/a', { 'content-type': 'text/html' });
      const limitMs = Math.max(30, (5 * bytes.length) / 100_000);
      assert.ok(isFasterThan(limitMs, () => describeBytes(bytes, head, { details: true })));
    });
  }

  it('keywords: cost less than 8 ms if they are blank, or one that is repeated', () => {
    for (const text of [',;', 'a,']) {
      const bytes = Buffer.from(`<meta name=keywords content="${many(text, 10_000)}">`.repeat(50));
      const head = pageHead('https://pages.example/a', { 'content-type': 'text/html' });
      const describeIt = () => describeBytes(bytes, head, { details: true });
      assert.ok(isFasterThan(8, describeIt), text);
    }
  });

  it('the memory of a result counts each text of the details, except JSON-LD', () => {
    const elements = `<title>T</title><meta property="og:image" content="https://a.example/i.png"><meta property="article:tag" content="Bridges"><meta name="author" content="Ines">${jsonLd('{"a":"not counted"}')}`;
    const head = pageHead('https://a.example/', { link: '</b>; rel=alternate; hreflang=de' });
    const page = describeBytes(Buffer.from(elements), head, { details: true });
    const { jsonLd: _jsonLd, ...details } = page.details!;
    const texts: string[] = [];
    JSON.stringify({ ...page, details }, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    const names = Object.keys(details.tags);
    assert.deepEqual(names, ['og:image', 'article:tag']);
    assert.equal(countCharacters(page), [...texts, ...names].join('').length);
  });
});
