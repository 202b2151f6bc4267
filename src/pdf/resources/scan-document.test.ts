import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scanDocument } from './scan-document.ts';
import type { ScannedDocument } from './scanned-document.ts';

/** Sources that need a page of their own. */
const NEVER_STATIC: readonly string[] = [
  '<script>1</script>',
  '<SCRIPT type=module>1</SCRIPT>',
  '<script type="text/javascript">1</script>',
  '<body onload="x()">',
  '<img src=x onerror="x()">',
  '<svg onload=x />',
  '<iframe srcdoc="x">',
  '<object data=a.svg>',
  '<embed src=a.svg>',
  '<video src=a.mp4>',
  '<canvas>',
  '<input type=image>',
  '<svg><input type=image src=a.png></svg>',
  '<svg><link rel=stylesheet href=a.css></svg>',
  '<input type=Image src="#">',
  '<input autofocus>',
  '<div><template shadowrootmode=open>x</template></div>',
  '<meta http-equiv=Content-Security-Policy content="default-src *">',
  '<meta http-equiv=refresh content="0;url=https://a.example">',
  '<meta http-equiv="content-language" content=ar>',
  '<link rel=stylesheet integrity=sha256-x href=https://site.example/app.css>',
  '<svg><use href="https://site.example/logo.svg#mark"/></svg>',
  '<svg><rect filter="url(https://site.example/f.svg#f)"/></svg>',
  '<svg><rect><animate attributeName=x to=9 dur=1s /></rect></svg>',
  '<svg><rect><set attributeName=x to=9 /></rect></svg>',
  '<noscript><!-- </noscript> --></noscript>',
  '<noscript>x<!-- y --></noscript>',
  '<noscript><style>p{}</style></noscript>',
  '<progress>',
  '<marquee>x</marquee>',
  '<style>p{background:u\\72l(a.png)}</style>',
  '<style>p{background:image-set("a.png" 1x)}</style>',
  '<style>img[src$=png]{width:9px}</style>',
  '<style>@media (scripting:none){p{color:red}}</style>',
  '<p style="anim\\61tion:k 1s">x',
];

void describe('a document that needs a page of its own', () => {
  for (const source of NEVER_STATIC) {
    void it(source, () => {
      assert.equal(scanDocument(source, { javascript: true }), null);
      assert.equal(scanDocument(`<p>x${source}<p>y`, { javascript: true }), null);
    });
  }
});

void describe('what a document loads', () => {
  void it('is listed with its place, in order, and with character references decoded', () => {
    const html =
      '<link rel=stylesheet href="a.css?x=1&amp;y"><img src=b.png><p style="background:url(c&#46;png)"><style>@import "d.css";</style>';
    const parts = scanDocument(html, { javascript: true })?.parts ?? [];
    const found = parts.map((part) => {
      const source = html.slice(part.start, part.end);
      return [part.kind, source, part.kind === 'css' ? part.scanned.urls.map(({ url }) => url) : null];
    });
    assert.deepEqual(found, [
      ['stylesheet', 'a.css?x=1&amp;y', null],
      ['image', 'b.png', null],
      ['css', 'background:url(c&#46;png)', ['c.png']],
      ['css', '@import "d.css";', ['d.css']],
    ]);
  });

  void it('is in document order, whatever the order of attributes', () => {
    const html =
      '<link style="background:url(a)" rel=stylesheet href=b><img srcset=c style="background:url(d)">';
    const { parts } = scanDocument(html, { javascript: true }) as ScannedDocument;
    assert.deepEqual(
      parts.map(({ start, end }) => html.slice(start, end)),
      ['background:url(a)', 'b', 'c', 'background:url(d)'],
    );
  });

  void it('is nothing in comments, templates, scripts that are data, and noscript elements', () => {
    const html =
      '<!--<img src=a>--><template><img src=a><template><img src=a></template><img src=a></template><script type="a/b"><img src=a></script><noscript><img src=a></noscript><title><img src=a></title>';
    const scanned = scanDocument(html, { javascript: true });
    assert.deepEqual(
      scanned?.parts.map(({ kind }) => kind),
      ['text'],
    );
    assert.equal(scanDocument('<noscript><img src=a></noscript>', { javascript: false })?.parts.length, 1);
  });
});

void describe('the languages of a document', () => {
  const find = (html: string): string | null | undefined =>
    scanDocument(html, { javascript: true })?.hanLanguage;

  void it('with Han characters are known, and two of them need a page of their own', () => {
    assert.equal(find('<html lang=en><p lang=de>x'), null);
    assert.equal(find('<html lang=zh-Hant-HK><p lang=en>x<b lang=ZH-hant-hk>'), 'zh-hant-hk');
    assert.equal(find('<html lang=ja><p lang=ko>x'), undefined);
  });
});

void describe('a document that leaves state to the next one of its page', () => {
  const leaves = (html: string) => scanDocument(html, { javascript: true })?.leavesState;

  void it('is one that sets colors of its links or text, a color scheme, or a named style sheet', () => {
    for (const html of [
      '<body text=red>x',
      '<body LINK=red>x',
      '<body vlink=red>x',
      '<body alink=red>x',
      '<meta name=Color-Scheme content=dark>x',
      '<style title=a>p{}</style>x',
    ])
      assert.equal(leaves(html), true, html);
  });

  void it('is not one with the same attributes elsewhere', () => {
    for (const html of [
      '<body bgcolor=red>x',
      '<div text=red link=red>x',
      '<p title=a>x',
      '<style>p{}</style>x',
    ])
      assert.equal(leaves(html), false, html);
  });
});
