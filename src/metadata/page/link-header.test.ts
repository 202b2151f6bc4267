import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFasterThan } from '../../../test/support/cpu-time.ts';
import { parseLinkHeader } from './link-header.ts';

const PAGE = 'https://a.example/b/c?d';
const parse = (value: string) => parseLinkHeader(value, PAGE);
const NONE = { type: null, title: null, sizes: null, media: null, hreflang: null };

describe('Link header', () => {
  it('lists links with their rel tokens and parameters, names in any case', () => {
    assert.deepEqual(
      parse(
        '</i.svg>; REL="Shortcut Icon"; Type="image/svg+xml"; sizes=any; media=screen, <x>;rel=alternate;hreflang=de',
      ),
      [
        {
          ...NONE,
          href: '/i.svg',
          rel: ['shortcut', 'icon'],
          type: 'image/svg+xml',
          sizes: 'any',
          media: 'screen',
        },
        { ...NONE, href: 'x', rel: ['alternate'], hreflang: 'de' },
      ],
    );
    assert.deepEqual(parseLinkHeader(undefined, PAGE), []);
  });

  it('separators inside a target or a quoted string do not separate, and a backslash escapes', () => {
    assert.deepEqual(
      parse('<a,b;c>; title="x, <y>; rel=\\"z\\""; rel=next , <d>;rel="prev"').map(({ href, title, rel }) => [
        href,
        title,
        rel.join(' '),
      ]),
      [
        ['a,b;c', 'x, <y>; rel="z"', 'next'],
        ['d', null, 'prev'],
      ],
    );
  });

  it('the first rel counts, spaces around = are allowed, and a parameter may have no value', () => {
    assert.deepEqual(
      parse('<a>; crossorigin; rel = icon ; rel=canonical; nopush').map(({ rel }) => rel),
      [['icon']],
    );
  });

  it('a title* in UTF-8 precedes title; a malformed one does not', () => {
    const titles = (value: string) => parse(value).map(({ title }) => title);
    assert.deepEqual(titles("<a>; rel=a; title=plain; title*=UTF-8'de'n%C3%A4chstes%20Kapitel"), [
      'nächstes Kapitel',
    ]);
    assert.deepEqual(titles("<a>; rel=a; title=plain; title*=utf-8''%E0%A4"), ['plain']);
    assert.deepEqual(titles("<a>; rel=a; title=plain; title*=koi8-r''%C1"), ['plain']);
  });

  it('a link with an anchor counts only if the anchor is the page', () => {
    const hrefs = parse(
      '<a>;rel=x;anchor="/other", <b>;rel=x;anchor="", <c>;rel=x;anchor="#part", <d>;rel=x;anchor="?d"',
    ).map(({ href }) => href);
    assert.deepEqual(hrefs, ['b', 'd']);
  });

  it('a malformed link is skipped, and the next one is not', () => {
    const hrefs = (value: string) => parse(value).map(({ href }) => href);
    assert.deepEqual(hrefs('nonsense; rel=icon, <a>; rel=icon'), ['a']);
    assert.deepEqual(hrefs('<a>, <b>; rel=icon'), ['b']);
    assert.deepEqual(hrefs(', ,<a>;rel="icon" junk;, <b>;;;rel=icon,'), ['a', 'b']);
    assert.deepEqual(hrefs('<a>; title="open; rel=icon'), []);
    assert.deepEqual(hrefs('<a; rel=icon'), []);
    assert.deepEqual(hrefs(''), []);
  });

  it('bytes that are UTF-8 are decoded, others stay latin1', () => {
    const href = (bytes: Buffer) => parse(bytes.toString('latin1'))[0]?.href;
    assert.equal(href(Buffer.from('</é>; rel=icon')), '/é');
    assert.equal(href(Buffer.from('</é>; rel=icon', 'latin1')), '/é');
  });

  it('at most 100 links are listed, and a hostile header costs linear time', () => {
    assert.equal(parse('<a>;rel=b,'.repeat(200)).length, 100);
    for (const filler of [
      '<',
      '<,',
      '<>',
      '<a>;',
      '<a>,',
      '"',
      '\\"',
      '<a>;a="\\',
      ',',
      ';',
      ' ',
      '<a>;rel= ',
    ])
      assert.ok(
        isFasterThan(30, () => parse(filler.repeat(65_536 / filler.length))),
        filler,
      );
    assert.ok(isFasterThan(30, () => parse(`<a>;rel=x${';b=c'.repeat(16_000)}`)));
  });
});
