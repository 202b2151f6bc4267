import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scanCss } from './scan-css.ts';

/** CSS, and what it loads: the kind, the URL and the text that can be replaced. */
const URLS: [css: string, ...found: [kind: 'image' | 'import', url: string, text: string][]][] = [
  ['a{background:url(b.png)}', ['image', 'b.png', 'url(b.png)']],
  ['a{background:URL( "b.png" )}', ['image', 'b.png', 'URL( "b.png" )']],
  ["a{background:url('b\\).png')}", ['image', 'b).png', "url('b\\).png')"]],
  ['a{b:url(c) url(d)}', ['image', 'c', 'url(c)'], ['image', 'd', 'url(d)']],
  ['@import "a.css";', ['import', 'a.css', '"a.css"']],
  ["@IMPORT/**/'a.css'", ['import', 'a.css', "'a.css'"]],
  ['@import url(a.css) print;', ['import', 'a.css', 'url(a.css)']],
  ['@import/**/ URL("a.css")', ['import', 'a.css', 'URL("a.css")']],
  ['@import a;b{c:url(d)}', ['image', 'd', 'url(d)']],
  ['/*url(a)*/b{c:url(d)}', ['image', 'd', 'url(d)']],
  ['/* ) url(a) */b{c:url(d)}', ['image', 'd', 'url(d)']],
  ['@namespace url(a);b{c:url(d)}', ['image', 'd', 'url(d)']],
  ["@import 'a", ['import', 'a', "'a"]],
  ['a{content:"url(b)"}'],
  ["a{content:'\\'url(b)'}"],
  ['@namespace url(http://a.example/);'],
  ['@imported "a.css";'],
  ['a{b:curl(d) -url(e)}'],
  ['a{b:url(c d)}'],
];

/** CSS that may load something in another way, or depends on scripting. */
const DYNAMIC = [
  'a{b:image-set("c" 1x)}',
  'a{b:src("c")}',
  'img[src="b"]{}',
  '[ *|srcset]{}',
  'source[media=print]+img{}',
  '[integrity="none"]~p{}',
  'td[background $= ".png"]{}',
  '[m\\65 dia=print]{}',
  'a{content:attr( background)}',
  'a{b:attr(src)}',
  '@media (scripting:none){}',
  'a{b:\\75rl(c)}',
  'a{b:u\\72 l(c)}',
  '@\\69mport "a";',
  '@f\\6fnt-face{}',
  'a{\\61nimation:b}',
  `a{${'b'.repeat(254)}\\63}`,
  'a{b:url(c',
  '@font-face{src:local(url(a.woff2)),url(b.woff2)}',
  '@font-face{src:local(a;b),url(c)}',
  '@font-face{src:local("a\\"b"),url(c)}',
  '@font-face{src:l\\6f cal(a),url(b)}',
  '@font-face{src:ur\\6c(b)}',
  '@font-face{src:url(a);s\\72 c:url(b)}',
  'a{b:url(c)}'.repeat(1_001),
];

const STATIC = [
  'td[background]{}',
  'a[href^="b"][style*="c"]{}',
  '@media print{a{background:b}}',
  'a{b:\\63}',
  'a{content:"\\75rl(c)"}',
  `a{${'b'.repeat(254)}\\}`,
  '@font-face{font-family:"\\@a";src:local("a b" ),LOCAL( b c),local(\'d\'),url("\\65")}',
  'a{b:url(c)}'.repeat(1_000),
];

describe('the resources of CSS', () => {
  for (const [css, ...found] of URLS)
    it(`${css} loads ${found.map(([, url]) => url).join(', ') || 'nothing'}`, () => {
      const { urls, isDynamic } = scanCss(css);
      assert.deepEqual(
        urls.map(({ kind, url, start, end }) => [kind, url, css.slice(start, end)]),
        found,
      );
      assert.ok(!isDynamic);
    });

  it('are unknown if CSS may load them in another way', () => {
    for (const css of DYNAMIC) assert.ok(scanCss(css).isDynamic, css.slice(0, 50));
    for (const css of STATIC) assert.ok(!scanCss(css).isDynamic, css.slice(0, 50));
  });

  it('include the files of fonts that the browser would try, by rule', () => {
    const css = `b{}@font-face{src:url(old);src:url("a.woff2") format("woff2"),/*,*/url(b) format('svg'),url(c)
      ;unicode-range: U+41 }@FONT-FACE{font-family:"}";src:url(d)}e{f:url(g)}`;
    const { fonts, urls } = scanCss(css);
    assert.deepEqual(
      fonts.map(({ sources, unicodeRange }) => [
        sources.map(({ url, start, end }) => [url, css.slice(start, end)]),
        unicodeRange,
      ]),
      [
        [
          [
            ['a.woff2', 'url("a.woff2")'],
            ['c', 'url(c)'],
          ],
          'U+41',
        ],
        [[['d', 'url(d)']], null],
      ],
    );
    assert.deepEqual(
      urls.map(({ url }) => url),
      ['g'],
    );
  });
});

describe('CSS that has an effect on later documents', () => {
  for (const [css, isMoving, hasColorScheme] of [
    ['a{b:c}', false, false],
    ['a{animation:b}', true, false],
    ['@KEYFRAMES a{}', true, false],
    [':root{color-scheme:dark}', false, true],
  ] as const)
    it(`is recognized: ${css}`, () => {
      const scanned = scanCss(css);
      assert.deepEqual([scanned.isMoving, scanned.hasColorScheme], [isMoving, hasColorScheme]);
    });
});
