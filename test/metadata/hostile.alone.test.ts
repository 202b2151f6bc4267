/** Pages that try to cost time or memory, or to inject content into the response. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPageKind } from '../../src/metadata/page/content-type.ts';
import { isFasterThan } from '../support/cpu-time.ts';
import { sample } from '../support/sample.ts';
import { pageHead, describeBytes } from './describe-bytes.ts';

const CAP_BYTES = 2 * 1024 * 1024;
const html = pageHead('https://pages.example/a/b', { 'content-type': 'text/html' });
const many = (text: string, bytes = CAP_BYTES) => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);
const title = '<title>T</title>';

/** Worst cases for the scanner and the code after it, at most 2 MiB each: half unless TEST_FULL=1. */
const FLOODS: Readonly<Record<string, string>> = {
  '80,000 metas': title + many('<meta name="og:title" content=x>'),
  'metas without attributes': title + many('<meta>'),
  '100,000 attributes on a meta': `${title}<meta ${Array.from({ length: 100_000 }, (_, at) => `a${at}=b`).join(' ')} name=description content=D>`,
  'one attribute a million times': `<meta ${many('content=a ')}`,
  'links without end': title + many('<link rel="icon apple-touch-icon" href=a.png>'),
  'properties of a hundred words': title + many(`<meta property="${'a '.repeat(95)}" content=a>`),
  '60,000 long entities in a title': `<title>${many('&CounterClockwiseContourIntegral;')}`,
  'ampersands in a title': `<title>${many('&')}`,
  'half entities in an attribute': `<title>T</title><meta name=description content="${many('&#x')}">`,
  'white space in a title': `<title>${many(' \n')}</title>`,
  'a title that never ends': `<title>${many('a ')}`,
  'less-than signs': many('<'),
  'open tags': many('<a'),
  'end tags': many('</a>'),
  'half markup': many('<!') + many('</'),
  'quotes that open and never close': many('<a b="'),
  'quotes as attribute names': `<a ${many('"')}`,
  'equals signs': `<a ${many('=')}`,
  'SVG 500,000 deep': `<svg>${many('<g>')}`,
  'end tags that match nothing in deep SVG': `<svg>${'<g>'.repeat(600)}${many('</x>')}`,
  'SVG in descriptions in SVG': many('<svg><desc>'),
  'tags that break out of SVG': many('<svg><p>'),
  'fonts in SVG': `<svg>${many(`<font ${'a '.repeat(500)}>`)}`,
  templates: many('<template>'),
  'scripts in comments in scripts': `<script>${many('<!--<script>')}`,
  'dashes in an escaped script': `<script><!--${many('-')}`,
  'script ends that are none': `<script>${many('</scrip')}`,
  'dashes in a comment': `<!--${many('-!')}`,
  'a CDATA section of brackets': `<svg><![CDATA[${many(']')}`,
  'empty titles': many('<title></title>'),
  'html tags': many('<html lang=xx>'),
  'a refresh of digits': `${title}<meta http-equiv=refresh content="${many('0', 900_000)}"><meta http-equiv=refresh content="0${many(' ', 900_000)}">`,
  escapes: many('\x1b'),
  'escapes of ISO-2022-JP': many('\x1b$B'),
  'pairs of ISO-2022-JP between escapes': many('\x1b$B!!\x1b(B'),
  'one key of a property many times': many(
    `<meta property="${'og:image '.repeat(22)}" content="http://[${'&amp;'.repeat(370)}">`,
  ),
  'bytes of no encoding': many('\xff'),
  'bytes of every encoding': many('\xe4\xf6 <p>\xfc\x81\x40'),
  'NUL bytes': many('\0'),
  'JSON-LD 100,000 levels deep': `${title}<script type="application/ld+json">${'['.repeat(45_000)}${']'.repeat(45_000)}</script>`,
  'JSON-LD of spaces': `${title}<script type="application/ld+json">{}${many(' ', 95_000)}x</script>`,
  'JSON-LD of small objects': `${title}<script type="application/ld+json">[${'{},'.repeat(30_000)}1]</script>`,
  '40,000 JSON-LD blocks': title + many('<script type="application/ld+json">{"a":1}</script>'),
  'a billion laughs': `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "${'&b;'.repeat(10)}"><!ENTITY b "${'&c;'.repeat(10)}">]><html><title>&a;</title></html>`,
};

describe('a hostile page', () => {
  for (const [name, text] of sample(Object.entries(FLOODS), 2)) {
    it(`${name}: costs time in proportion to its size, whole, in pieces and with details`, () => {
      const bytes = Buffer.from(text, 'latin1').subarray(0, CAP_BYTES);
      const cuts = Array.from({ length: Math.floor(bytes.length / 16_384) }, (_, at) => at * 16_384);
      const limitMs = 100 * Math.max(1, bytes.length / 1_000_000);
      assert.ok(isFasterThan(limitMs, () => describeBytes(bytes, html, { stopsEarly: false })));
      assert.ok(
        isFasterThan(limitMs, () => describeBytes(bytes, html, { stopsEarly: false, details: true, cuts })),
      );
    });
  }

  it('CDATA sections that never close, in a title of XML', () => {
    const bytes = Buffer.from(`<html><title>${many('<![CDATA[')}`);
    const head = pageHead('http://a.example/', { 'content-type': 'application/xhtml+xml' });
    assert.ok(isFasterThan(50, () => describeBytes(bytes, head)));
  });

  for (const filler of ['"', '"\\', '\\"', ',"', ';"', ';charset="', 'a/b,']) {
    it(`a Content-Type full of ${filler} is parsed in linear time`, () => {
      const header = `text/html;${filler.repeat(30_000 / filler.length)}`;
      assert.ok(isFasterThan(50, () => findPageKind(header)));
    });
  }

  it('in chunks of one byte uses no more than 64 MiB of memory', () => {
    const bytes = Buffer.from(`<title>T</title>${many('<p>text</p>', 1_000_000)}`);
    const before = process.memoryUsage.rss();
    describeBytes(bytes, html, { stopsEarly: false, cuts: Array.from(bytes, (_, at) => at) });
    assert.ok(process.memoryUsage.rss() - before < 64 * 1024 * 1024);
  });

  it('URLs of scripts, files and data are not in the response, except icons that are data: images', () => {
    const evil = [
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'file:///etc/passwd',
      'vbscript:x',
      ' java\nscript:alert(1)',
      'blob:https://a/b',
      'about:blank',
      'ftp://a/b',
    ];
    for (const url of evil) {
      const page = `<title>T</title><meta property=og:image content="${url}"><meta property=og:url content="${url}"><meta name=twitter:image content="${url}">
        <link rel=icon href="${url}"><link rel=canonical href="${url}"><base href="${url}"><link rel=alternate type=application/rss+xml href="${url}">
        <link rel=alternate type=application/json+oembed href="${url}"><meta property=og:video content="${url}"><meta property=og:audio content="${url}">`;
      const { og, twitter, favicon, details } = describeBytes(Buffer.from(page), html, { details: true });
      assert.deepEqual(
        [og.image, og.url, twitter.image, favicon],
        [null, null, null, 'https://pages.example/favicon.ico'],
        url,
      );
      const { canonical, icons, images, video, audio, feeds, oembed } = details!;
      assert.deepEqual(
        { canonical, icons, images, video, audio, feeds, oembed },
        { canonical: null, icons: [], images: [], video: [], audio: [], feeds: [], oembed: [] },
        url,
      );
    }
  });

  it('URLs of private hosts are reported as the page declares them', () => {
    const page =
      '<title>T</title><meta property=og:image content="http://10.0.0.5/x.png"><link rel=icon href="http://169.254.169.254/icon">';
    const { og, favicon } = describeBytes(Buffer.from(page), html);
    assert.deepEqual([og.image, favicon], ['http://10.0.0.5/x.png', 'http://169.254.169.254/icon']);
  });

  it('controls and lone surrogates are not in the response', () => {
    const page = Buffer.from(
      '<title>a\0b\x01c\x7fd\x1b[31me&#xD800;f&#27;g&#x9f;h\ud800</title><meta name=description content="x\x0by&#0;z"><script type="application/ld+json">{"a\\u0000":"\\ud800x\\u001b"}</script>',
    );
    const found = describeBytes(
      page,
      pageHead('https://pages.example/', { 'content-type': 'text/html; charset=utf-8' }),
      { details: true },
    );
    assert.equal(found.title, 'a\uFFFDbcd[31me\uFFFDfg\u0178h\uFFFD');
    assert.equal(found.description, 'xy\uFFFDz');
    const json = JSON.stringify(found);
    assert.ok(json.isWellFormed());
    assert.doesNotMatch(json, /[\0-\x1f\x7f-\x9f]|\\u[0-9a-d]/);
  });

  it('text is cut at 10,000 characters, not inside a character', () => {
    for (const [unit, length] of [
      ['a', 10_000],
      ['😀', 10_000],
      ['👩‍👩‍👧', undefined],
      ['e\u0301', undefined],
    ] as const) {
      for (const shift of ['', 'x', 'xy']) {
        const { title } = describeBytes(
          Buffer.from(`<title>${shift}${unit.repeat(11_000)}</title>`),
          pageHead('http://a.example/', { 'content-type': 'text/html;charset=utf-8' }),
        );
        assert.ok(title!.length <= 10_000 && title!.length > 9_900);
        assert.ok(title!.isWellFormed());
        assert.ok(title!.endsWith(unit), `${unit} after ${shift.length}`);
        if (length !== undefined && shift === '') assert.equal(title!.length, length);
      }
    }
  });

  it('external entities are not fetched, and internal ones are not expanded', () => {
    const page =
      '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY xxe SYSTEM "file:///etc/passwd">]><html xmlns="http://www.w3.org/1999/xhtml"><head><title>&xxe;</title></head></html>';
    assert.equal(
      describeBytes(
        Buffer.from(page),
        pageHead('http://a.example/', { 'content-type': 'application/xhtml+xml' }),
      ).title,
      '&xxe;',
    );
  });
});
