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

describe('how much of a page is read', () => {
  it('reads 4 KB past the head, once the title was seen', () => {
    const needed = countBytesNeeded(`<head><title>T</title></head><body>${filler(100_000)}`);
    assert.ok(needed > 4_096 && needed < 5_200, String(needed));
    assert.equal(countBytesNeeded(`<head></head><body>${filler(100_000)}`), Infinity);
  });

  it('a second `<body>` does not start the 4 KB again, even if the first is at the start', () => {
    for (const head of ['', '<head></head>']) {
      const needed = countBytesNeeded(
        `${head}<body><title>T</title>${filler(3_000)}<body>${filler(100_000)}`,
      );
      assert.ok(needed > 4_096 && needed < 5_200, String(needed));
    }
  });

  it('starts the 4 KB again at each meta and link', () => {
    const needed = countBytesNeeded(
      `<head><title>T</title></head><body>${filler(3_000)}<meta name=a content=b>${filler(3_000)}<link rel=icon href=/late.png>${filler(100_000)}`,
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

  it('without `</head>` or `<body>`, reads 64 KB of the body', () => {
    const needed = countBytesNeeded(`<title>T</title>${filler(300_000)}`);
    assert.ok(needed > 65_536 && needed < 67_000, String(needed));
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

  it('with details, the fields are the same as without: late tags are in the details only', () => {
    const page = Buffer.from(
      `<head><title>T</title></head><body>${filler(5_000)}<meta name=description content=late><meta name=robots content=none><link rel=icon href=/late.png><script type="application/ld+json">{"a":1}</script>`,
    );
    const { details, ...fields } = describeBytes(page, head, { details: true });
    assert.deepEqual(fields, describeBytes(page, head));
    assert.equal(fields.description, null);
    assert.deepEqual([details!.robots, details!.icons.length, details!.jsonLd], ['none', 1, [{ a: 1 }]]);
  });

  it('reads nothing of a body that is not HTML', () => {
    assert.equal(
      new MetadataReader({ details: true }).start(
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
