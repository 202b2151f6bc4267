import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scanCss } from './scan-css.ts';

/** CSS, and what it loads: the kind, the URL and the text that can be replaced. */
const URLS: [css: string, ...found: [kind: 'image' | 'font' | 'import', url: string, text: string][]][] = [
  ['a{background:url(b.png)}', ['image', 'b.png', 'url(b.png)']],
  ['a{background:URL( "b.png" )}', ['image', 'b.png', 'URL( "b.png" )']],
  ['a{b:url(c) url(d)}', ['image', 'c', 'url(c)'], ['image', 'd', 'url(d)']],
  ['@import "a.css";', ['import', 'a.css', '"a.css"']],
  ["@IMPORT/**/'a.css'", ['import', 'a.css', "'a.css'"]],
  ['@import url( a.css )/**/;', ['import', 'a.css', 'url( a.css )']],
  ['@import/**/ URL("a.css")', ['import', 'a.css', 'URL("a.css")']],
  ['/*url(a)*/b{c:url(d)}', ['image', 'd', 'url(d)']],
  ['/* ) url(a) */b{c:url(d)}', ['image', 'd', 'url(d)']],
  ["@import 'a", ['import', 'a', "'a"]],
  ['a{content:"url(b)"}'],
  ["a{content:'\\'url(b)'}"],
  ['@imported "a.css";'],
  ['a{b:curl(d) -url(e)}'],
];

/** CSS that needs the warm lane. */
const DYNAMIC = [
  '@namespace url(http://a.example/);',
  "a{background:url('b\\).png')}",
  '@import "\\61.css"',
  'a{b:url(c d)}',
  'a{b:url("c" d)}',
  'a{b:image-set("c" 1x)}',
  'a{b:src("c")}',
  'img[src="b"]{}',
  '[ *|src]{}',
  '[/*a*/srcset]{}',
  '[a\\65 src]{}',
  'td[background $= ".png"]{}',
  'a{content:attr( background)}',
  'a{b:attr(src)}',
  'a{b:attr( data-src)}',
  '@media (scripting:none){}',
  '@import url(a.css) print;',
  '@import "a.css" layer(b);',
  '@import a;b{c:url(d)}',
  '@font-face{src:url(a);unicode-range:U+41}',
  'a{b:\\75rl(c)}',
  'a{b:u\\72 l(c)}',
  'a{b:u\\rl(c)}',
  'a{b:u\\000072l(c)}',
  '@\\69mport "a";',
  '@f\\6fnt-face{}',
  'a{\\61nimation:b}',
  '@font-face{src:ur\\6c(b)}',
  'a{b:url(c',
  'a{b:url(c)}'.repeat(1_001),
];

const STATIC = [
  'td[background]{}',
  'a[href^="b"][style*="c"]{}',
  'a[title="src"]{}',
  '@media print{a{background:b}}',
  '.md\\:w-1\\/2,.\\32xl\\:w-\\[9px\\],.w-0\\.5{}',
  'a{content:"\\75rl(c)"}',
  'a{width:9px\\9;color:red\\0/}',
  '@font-face{font-family:"\\@a";src:local("a b" ),LOCAL( b c),url("c")}',
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

  it('are not certain if CSS may load them in another way, or under a condition', () => {
    for (const css of DYNAMIC) assert.ok(scanCss(css).isDynamic, css.slice(0, 50));
    for (const css of STATIC) assert.ok(!scanCss(css).isDynamic, css.slice(0, 50));
  });

  it('include all files of fonts: the browser tries them in order', () => {
    const css = `b{}@font-face{src:url(old);src:url("a.woff2") format("woff2"),/*,*/url(b) format('svg'),url(c)
      }@FONT-FACE{font-family:"}";src:local("x"),url(d)}e{f:url(g)}`;
    assert.deepEqual(
      scanCss(css).urls.map(({ kind, url, start, end }) => [kind, url, css.slice(start, end)]),
      [
        ['font', 'old', 'url(old)'],
        ['font', 'a.woff2', 'url("a.woff2")'],
        ['font', 'b', 'url(b)'],
        ['font', 'c', 'url(c)'],
        ['font', 'd', 'url(d)'],
        ['image', 'g', 'url(g)'],
      ],
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
