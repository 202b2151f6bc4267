import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePdfRequest } from '../pdf-request.ts';
import { prepareRequest } from './prepare-request.ts';
import { type ScannedDocument, findHanLanguages, scanDocument, scanTemplate } from './scan-document.ts';

/** Sources that need the warm lane. */
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
  '<input type=Image src=a.png>',
  '<svg></svg><link rel=stylesheet href=a.css>',
  '<svg></svg><textarea><</textarea>',
  '<svg></svg><style>a{&:hover{}}</style>',
  '<select></select><![CDATA[ x ]]>',
  '<img srcset=a>',
  '<img src=a srcset="a 1x, b 2x">',
  '<picture><img src=a></picture>',
  '<image src=a.png>',
  '<svg><image xlink:href=a.png /></svg>',
  '<template>x</template>',
  '<input autofocus>',
  '<div><template shadowrootmode=open>x</template></div>',
  '<meta http-equiv=Content-Security-Policy content="default-src *">',
  '<meta http-equiv=refresh content="0;url=https://a.example">',
  '<meta http-equiv="content-language" content=ar>',
  '<link rel=stylesheet integrity=sha256-x href=https://site.example/app.css>',
  '<link rel=stylesheet media=screen href=a.css>',
  '<link rel=stylesheet media="print and (min-width: 9cm)" href=a.css>',
  '<link rel="alternate stylesheet" href=a.css>',
  '<link rel=stylesheet title=a href=a.css>',
  '<link rel=stylesheet disabled href=a.css>',
  '<link rel=stylesheet type=text/less href=a.css>',
  '<svg><use href="https://site.example/logo.svg#mark"/></svg>',
  '<svg><rect filter="url(https://site.example/f.svg#f)"/></svg>',
  '<svg><rect><animate attributeName=x to=9 dur=1s /></rect></svg>',
  '<svg><rect><set attributeName=x to=9 /></rect></svg>',
  '<svg><rect fill="u\\72l(https://site.example/f.svg#f)"/></svg>',
  '<base href="data:text/html,">',
  '<base href=javascript:1>',
  '<base href="http://">',
  '<img src="data:image/svg+xml,%3Csvg%3E%3Canimate attributeName=x /%3E%3C/svg%3E">',
  `<img src="data:image/svg+xml;base64,${btoa('<svg><style>*{animation:a 1s}</style></svg>')}">`,
  '<p style="background:url(data:image/svg+xml,%3Csvg%3E%3Cset%20attributeName=x%20/%3E%3C/svg%3E)">',
  '<noscript>x</noscript>',
  '<progress>',
  '<marquee>x</marquee>',
  '<style>p{background:u\\72l(a.png)}</style>',
  '<style>p{background:image-set("a.png" 1x)}</style>',
  '<style>img[src$=png]{width:9px}</style>',
  '<style>@media (scripting:none){p{color:red}}</style>',
  '<style>@import "a.css" print;</style>',
  '<style>@font-face{src:url(a);unicode-range:U+41}</style>',
  '<p style="anim\\61tion:k 1s">x',
];

void describe('a document that needs the warm lane', () => {
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
      '<link style="background:url(a)" rel=stylesheet href=b><img src=c style="background:url(d)">';
    const { parts } = scanDocument(html, { javascript: true }) as ScannedDocument;
    assert.deepEqual(
      parts.map(({ start, end }) => html.slice(start, end)),
      ['background:url(a)', 'b', 'c', 'background:url(d)'],
    );
  });

  void it('is nothing in comments and in scripts that are data, and a data: URL is nothing to load', () => {
    const html =
      '<!--<img src=a>--><script type=application/ld+json>"<img src=a>"</script><title><img src=a></title><img src=data:,><svg><image href=data:, /></svg>';
    assert.deepEqual(scanDocument(html, { javascript: true })?.parts, []);
    assert.equal(scanDocument('<noscript><img src=a></noscript>', { javascript: false })?.parts.length, 1);
  });

  void it('is the background of a body, a table or a part of one, and of no other element', () => {
    const html = '<body background=a><p background=b><table background=c><tr background=d><td background=e>';
    const { parts } = scanDocument(html, { javascript: true }) as ScannedDocument;
    assert.deepEqual(
      parts.map(({ start, end }) => html.slice(start, end)),
      ['a', 'c', 'd', 'e'],
    );
  });

  void it('is the src of the image in a template, whose other choices are removed', () => {
    const html =
      '<picture><source srcset="a 2x" media=screen><img src=b srcset=c></picture><svg><image href=d /></svg><table background=e>';
    const found = scanTemplate(html).scanned.parts.map((part) => [
      html.slice(part.start, part.end),
      part.kind === 'text' ? part.text : part.kind,
    ]);
    assert.deepEqual(found, [
      ['a 2x', ','],
      ['b', 'image'],
      ['c', ','],
      ['d', 'image'],
      ['e', 'image'],
    ]);
  });

  void it('is every style sheet of a template that is not disabled, an alternative or of another type', () => {
    const html =
      '<link rel=stylesheet media=screen href=a><link rel=stylesheet integrity=x href=b><link rel="alternate stylesheet" href=c><link rel=stylesheet disabled href=d><link rel=stylesheet type=a/b href=e>';
    const found = scanTemplate(html).scanned.parts.map((part) => [
      part.kind,
      html.slice(part.start, part.end),
    ]);
    assert.deepEqual(found, [
      ['stylesheet', 'a'],
      ['text', 'x'],
      ['stylesheet', 'b'],
      ['text', '<link rel="alternate stylesheet" href=c>'],
      ['text', '<link rel=stylesheet disabled href=d>'],
      ['text', '<link rel=stylesheet type=a/b href=e>'],
    ]);
  });
});

void describe('the languages of a document', () => {
  void it('with Han characters are known', () => {
    assert.deepEqual(findHanLanguages('<html lang=en><p lang=de>x'), []);
    assert.deepEqual(findHanLanguages('<html lang=zh-Hant-HK><p lang=en>x<b lang=ZH-hant-hk>'), [
      'zh-hant-hk',
    ]);
    assert.deepEqual(findHanLanguages('<html lang=ja><p lang=ko>x'), ['ja', 'ko']);
  });

  void it('need the warm lane if there are two, or one that is not certain', () => {
    const isStatic = (html: string): boolean => prepareRequest(parsePdfRequest({ html })).scanned !== null;
    assert.deepEqual(['<p lang=ja>x', '<html lang=ja><p lang=ko>x', '<p lang="&#106;a">'].map(isStatic), [
      true,
      false,
      false,
    ]);
  });

  void it('are found however the attribute is written, and not in URLs', () => {
    for (const html of ['<p xml:lang=ja>', "<p a='b'LANG\n = ' JA'>", `<p lang${' '.repeat(99)}=ja>`])
      assert.deepEqual(findHanLanguages(html), ['ja'], html);
    assert.deepEqual(findHanLanguages('<a href="/?lang=ja" hreflang=ko>'), []);
    assert.equal(findHanLanguages('<p lang="&#106;a">'), null);
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
