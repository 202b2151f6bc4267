import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MetadataReader } from '../../src/metadata/page/metadata-reader.ts';
import { listPages } from './page-files.ts';
import { pageHead, describeBytes } from './describe-bytes.ts';

const head = pageHead('http://pages.example/', { 'content-type': 'text/html' });
const filler = (bytes: number) => '<p>text</p>'.repeat(Math.ceil(bytes / 11));

/** Returns how many bytes the reader needed, in chunks of 512. */
function countBytesNeeded(page: string, details = false): number {
  const bytes = Buffer.from(page);
  const reader = new MetadataReader({ details });
  if (!reader.start(head)) return 0;
  let at = 0;
  while (at < bytes.length) {
    const needsMore = reader.write(bytes.subarray(at, (at += 512)));
    if (!needsMore) return at;
  }
  return Infinity;
}

/** Returns the fields of `page`, by path, that have a value in `other`; without the icon of every site. */
function keepValues(page: object, other: object, path = ''): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(other)) {
    if (value === null || String(value).endsWith('/favicon.ico')) continue;
    const own: unknown = page[name as keyof typeof page];
    if (typeof value === 'object') Object.assign(kept, keepValues(own as object, value, `${path}${name}.`));
    else kept[path + name] = own;
  }
  return kept;
}

/** A title, and an og:title: without one, more is read. */
const CARD = '<title>T</title><meta property=og:title content=T>';

describe('how much of a page is read', () => {
  it('reads 4 KB past the head, once the title and an og:title were seen', () => {
    const needed = countBytesNeeded(`<head>${CARD}</head><body>${filler(100_000)}`);
    assert.ok(needed > 4_096 && needed < 5_200, String(needed));
    const untitled = '<meta property=og:title content=T>';
    assert.equal(countBytesNeeded(`<head>${untitled}</head><body>${filler(100_000)}`), Infinity);
  });

  it('reads 64 KB past the head while no og:title was seen', () => {
    for (const other of ['', '<meta property=og:site_name content=S><meta name=og:image content=/i.png>']) {
      const needed = countBytesNeeded(`<head><title>T</title>${other}</head><body>${filler(100_000)}`);
      assert.ok(needed > 65_536 && needed < 66_600, String(needed));
    }
    const late = `<head><title>T</title></head><body>${filler(60_000)}<meta property="og:title" content=Card>${filler(3_000)}<meta property=og:type content=article>`;
    const needed = countBytesNeeded(late + filler(100_000));
    assert.ok(needed > 67_000 && needed < 68_700, String(needed));
    const { og } = describeBytes(Buffer.from(late), head);
    assert.deepEqual([og.title, og.type], ['Card', 'article']);
  });

  it('the 64 KB start at the head, not at each tag after it', () => {
    const links = `<link rel=stylesheet href=a.css>${filler(5_000)}`.repeat(30);
    const needed = countBytesNeeded(`<head><title>T</title></head><body>${links}${filler(100_000)}`);
    assert.ok(needed > 65_536 && needed < 70_700, String(needed));
  });

  it('reports that 4 KB past the head are enough, so that a body that never ends is not awaited', () => {
    const bytes = Buffer.from(`<head><title>T</title></head><body>${filler(20_000)}`);
    const read = (length: number, details = false) => {
      const reader = new MetadataReader({ details });
      reader.start(head);
      return [reader.write(bytes.subarray(0, length)), reader.isEnough];
    };
    assert.deepEqual(read(4_000), [true, false]);
    assert.deepEqual(read(4_500), [true, true]);
    assert.deepEqual(read(20_000, true), [true, false]);
  });

  it('a second `<body>` does not start the 4 KB again, even if the first is at the start', () => {
    for (const head of ['', '<head></head>']) {
      const needed = countBytesNeeded(`${head}<body>${CARD}${filler(3_000)}<body>${filler(100_000)}`);
      assert.ok(needed > 4_096 && needed < 5_200, String(needed));
    }
  });

  it('starts the 4 KB again at each meta and link', () => {
    const needed = countBytesNeeded(
      `<head>${CARD}</head><body>${filler(3_000)}<meta name=a content=b>${filler(3_000)}<link rel=icon href=/late.png>${filler(100_000)}`,
    );
    assert.ok(needed > 10_000 && needed < 11_300, String(needed));
  });

  it('does not stop in a long script of the head', () => {
    const page = `<head><title>T</title><noscript></noscript><script>${'var a;'.repeat(20_000)}</script><meta name=description content=D></head><body>`;
    assert.equal(describeBytes(Buffer.from(page), head).description, 'D');
  });

  it('a stray tag in the head does not end it; `</head>` does', () => {
    const page = `<head><title>T</title><img>${'<script>var a;</script>'.repeat(1_000)}<meta name=description content=D></head><body>`;
    assert.equal(describeBytes(Buffer.from(page), head).description, 'D');
  });

  it('without `</head>` or `<body>`, reads the whole page', () => {
    assert.equal(countBytesNeeded(`${CARD}${filler(300_000)}`), Infinity);
    const page = `${CARD}<p>${filler(300_000)}</p><meta name=description content=D>`;
    assert.equal(describeBytes(Buffer.from(page), head).description, 'D');
  });

  it('with details, reads the whole page', () => {
    assert.equal(countBytesNeeded(`<head><title>T</title></head><body>${filler(100_000)}`, true), Infinity);
  });

  it('skips a block of JSON-LD that is too large, not those after it', () => {
    const blocks = ['x'.repeat(100_001), 'y'].map(
      (text) => `<script type=application/ld+json>{"a":"${text}"}</script>`,
    );
    const { details } = describeBytes(Buffer.from(blocks.join('')), head, { details: true });
    assert.deepEqual(details!.jsonLd, [{ a: 'y' }]);
  });

  it('with details, late tags fill the fields that are null without it', () => {
    const page = Buffer.from(
      `<head>${CARD}</head><body>${filler(5_000)}<meta name=description content=late><meta name=robots content=none><meta property=og:image content=/late.png><link rel=icon href=/late.ico><meta property=og:locale content=fr><script type="application/ld+json">{"a":1}</script>`,
    );
    const { details, ...fields } = describeBytes(page, head, { details: true });
    const without = describeBytes(page, head);
    const nulls = [without.description, without.og.image, without.language, without.favicon];
    assert.deepEqual(nulls, [null, null, null, 'http://pages.example/favicon.ico']);
    assert.deepEqual(fields, {
      ...without,
      description: 'late',
      og: { ...without.og, image: 'http://pages.example/late.png' },
      language: 'fr',
      favicon: 'http://pages.example/late.ico',
    });
    assert.deepEqual([details!.robots, details!.icons.length, details!.jsonLd], ['none', 1, [{ a: 1 }]]);
  });

  it('with details, late tags change no field that has a value, nor how the page is read', () => {
    const early =
      '<html lang=en><head><title>T</title><meta property=og:title content=T><meta name=twitter:title content=T><meta property=og:description content=early><meta property=og:image:url content=i.png><link rel=apple-touch-icon href=a.png></head><body>';
    const late =
      '<html lang=fr><base href=/late/><meta charset=koi8-r><title>late</title><meta property=og:title content=late><meta name=twitter:title content=late><meta name=description content=late><meta property=og:image content=late.png><link rel=icon href=late.png><meta http-equiv=refresh content="0;url=/late"><meta http-equiv=content-language content=fr>';
    const page = Buffer.from(early + filler(5_000) + late);
    const { details: _, ...fields } = describeBytes(page, head, { details: true });
    assert.deepEqual(fields, describeBytes(page, head));
    assert.equal(fields.description, 'early');
    const reader = new MetadataReader({ details: true });
    reader.start(head);
    reader.write(page);
    assert.equal(reader.page!.html!.tags.refresh, null);
  });

  it('with details, no field of the realistic pages changes that has a value', () => {
    const late =
      '<html lang=ak><base href=/late/><title>late</title><link rel=icon href=late.png><meta http-equiv=content-language content=ak>' +
      ['title', 'description', 'image', 'url', 'type', 'site_name', 'card', 'site', 'locale']
        .flatMap((name) => [name, `og:${name}`, `twitter:${name}`])
        .map((key) => `<meta name=${key} content=late>`)
        .join('');
    for (const { name, bytes, head } of listPages()) {
      const page = Buffer.concat([bytes, Buffer.from(filler(70_000) + late)]);
      const without = describeBytes(page, head);
      const { details: _, ...fields } = describeBytes(page, head, { details: true });
      assert.deepEqual(keepValues(fields, without), keepValues(without, without), name);
    }
  });

  it('reads nothing of a body that is not HTML, without details', () => {
    assert.equal(
      new MetadataReader({ details: false }).start(
        pageHead('http://a.example/', { 'content-type': 'image/png' }),
      ),
      false,
    );
  });

  it('stopping early changes no field of the realistic pages, with 100 KB of body after them', () => {
    for (const { name, bytes, head, expected } of listPages()) {
      if (['utf-16le', 'iso-2022-jp'].includes(expected.charset!)) continue;
      const longer = Buffer.concat([bytes, Buffer.from(filler(100_000))]);
      assert.deepEqual(describeBytes(longer, head), describeBytes(longer, head, { stopsEarly: false }), name);
    }
  });
});
