import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scanHtml } from '#html';
import { sample } from '../../../test/support/sample.ts';
import { parsePdfRequest } from '../pdf-request.ts';
import { preloadFonts, prepareDocument, toStaticHtml } from './prepare-request.ts';
import { prepareRequest } from './prepare-request.ts';
import { fillTemplate, wrapTemplate } from './print-templates.ts';
import { scanCss } from './scan-css.ts';
import { scanDocument } from './scan-document.ts';
import { checkTemplate } from '../request/template-members.ts';

const MEGABYTE = 1_000_000;
const MAX_SCAN_MS = 800;
const MAX_TRIES = 3;

/** Returns the least CPU time of `work` in milliseconds; once it is below the limit, of fewer tries. */
function measureBestMs(work: () => void): number {
  let ms = Infinity;
  for (let tries = 0; tries < MAX_TRIES && ms >= MAX_SCAN_MS; tries += 1)
    ms = Math.min(ms, measureCpuMs(work));
  return ms;
}

/** Returns the CPU time of `work` in milliseconds: unlike wall time, it does not include other processes. */
function measureCpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

void describe('the scan of a document', () => {
  void it('takes time proportional to its length, whatever it repeats', () => {
    const pieces = [
      '<',
      '<!',
      '<!--',
      '</',
      '<body ',
      '<a b="',
      "<a b='",
      '<a =',
      'url(',
      'url( ',
      '@import ',
      'src:',
      ' src=',
      '\n',
      '&#',
      '&amp',
      '\\',
      '\\69 ',
      '/*',
      '{{',
      '{{ page',
      '<b>',
      '<b></i>',
      '<style>',
      '<template>',
      '<title>',
      '@font-face',
      'http-equiv=',
      '\u0000',
      '<p a=1 a=1 ',
      '<![CDATA[',
      '<picture><source srcset=a>',
      '<source srcset=a><img src=b>',
      '<img srcset="',
      ' a 2x,',
      ' a (',
      '<?',
      '<style>[',
      '<style>attr(',
      '<svg><style>',
      ' lang =',
    ];
    for (const piece of sample(pieces, 2)) {
      const text = piece.repeat(Math.floor((2 * MEGABYTE) / piece.length));
      const short = text.slice(0, 524_000);
      const scan = (): void => {
        scanDocument(text, { javascript: true });
        prepareDocument(parsePdfRequest({ html: `x${text}`, css: short, footer_html: 'F' }));
        fillTemplate(short, { title: null, date: null });
        try {
          checkTemplate('header_html', short);
        } catch {
          // Some of the texts are not allowed.
        }
      };
      const ms = measureBestMs(scan);
      assert.ok(ms < MAX_SCAN_MS, `${JSON.stringify(piece)}: ${ms.toFixed(0)} ms`);
    }
  });
});

void describe('a URL in CSS', () => {
  void it('is found in time proportional to the spaces before it, with and without an end', () => {
    for (const end of ['x', 'x)', ')', '"x"', '']) {
      const css = `a{background:url(${' '.repeat(100_000)}${end}`;
      const ms = measureCpuMs(() => scanCss(css));
      assert.ok(ms < 500, `${JSON.stringify(end)}: not in quadratic time: ${ms.toFixed(0)} ms`);
    }
  });
});

void describe('a font in a template', () => {
  void it('is found in time proportional to the spaces before its URL', () => {
    const template = `@font-face{src:url(${' '.repeat(500_000)}data:`;
    const ms = measureCpuMs(() => checkTemplate('header_html', template));
    assert.ok(ms < 5_000, `not in quadratic time: ${ms.toFixed(0)} ms`);
  });
});

void describe('css of the request', () => {
  void it('is a style sheet of its own, which may begin with @import', () => {
    const request = parsePdfRequest({ html: '<p>x', css: '@import url(a.css);', margin_top: '1mm' });
    assert.match(prepareDocument(request).html, /<style>@import url\(a\.css\);<\/style>/);
  });

  void it('is at the end of the head, after a noscript element with anything in it', () => {
    const html = '<head><noscript><img></noscript><title>t</title></head><p>x';
    const request = parsePdfRequest({ html, css: 'p{}' });
    assert.match(prepareDocument(request).html, /<\/title><style>p\{\}<\/style><\/head>/);
  });
});

void describe('what the service inserts into a document', () => {
  const before = '<!--<style>@layer{@page{--><!doctype html>';

  void it('follows the doctype, whatever a comment before it contains', () => {
    const prepared = prepareDocument(parsePdfRequest({ html: `${before}<p>x` }));
    assert.ok(prepared.html.startsWith(`${before}<style>@layer{@page{`));
    const url = 'data:font/woff2;base64,AA';
    assert.ok(preloadFonts(prepared, [url]).startsWith(`${before}<link rel=preload as=font `));
    const html = toStaticHtml(prepared, { hasBase: false });
    assert.ok(html.startsWith(`${before}<style>@media screen{html{display:none!important}}@layer{@page{`));
    assert.ok(preloadFonts({ ...prepared, html }, [url]).startsWith(`${before}<link rel=preload as=font `));
  });

  void it('is a base URL without which relative links would lead to the page of the service, if there are links', () => {
    const hasBase = (body: Record<string, unknown>): boolean => {
      const prepared = prepareDocument(parsePdfRequest(body));
      return /<base href="about:blank">/.test(toStaticHtml(prepared, { hasBase: false }));
    };
    assert.equal(hasBase({ html: '<a HREF=x>x</a>' }), true);
    assert.equal(hasBase({ html: '<svg><a xlink:href=x>' }), true);
    assert.equal(hasBase({ html: '<p>x' }), false);
  });

  void it('is at an offset that no resource precedes', () => {
    for (const html of [
      `${before}<img src=a.png>`,
      '<img src=a.png><!doctype html>',
      '<link rel=stylesheet href=a.css>',
    ]) {
      const { scanned, headStart } = prepareRequest(parsePdfRequest({ html }));
      assert.ok(scanned?.parts.every(({ start }) => start > headStart));
    }
  });
});

void describe('tokens', () => {
  const kinds = (html: string): string[] =>
    [...scanHtml(html)].map(({ kind, name, start, end }) =>
      `${kind} ${name} ${html.slice(start, end)}`.replace('  ', ' '),
    );

  void it('follow the HTML standard', () => {
    assert.deepEqual(kinds('a<B c="<d>">e</b >'), ['text a', 'start b <B c="<d>">', 'text e', 'end b </b >']);
    assert.deepEqual(kinds('<script>"</b>"</script>x'), [
      'start script <script>',
      'raw script "</b>"',
      'end script </script>',
      'text x',
    ]);
    assert.deepEqual(kinds('<!-- > --><!doctype html><!x>'), [
      'comment <!-- > -->',
      'doctype <!doctype html>',
      'comment <!x>',
    ]);
    assert.deepEqual(kinds('1 < 2 <!--> x'), ['text 1 <', 'text  2 ', 'comment <!-->', 'text  x']);
    assert.deepEqual(kinds('<a b'), ['start a <a b']);
  });
});

void describe('header and footer templates', () => {
  const wrap = (headerHtml: string): string =>
    wrapTemplate(fillTemplate(headerHtml, { title: null, date: null }), { left: 0, right: 0 });

  void it('are closed if the request leaves them open, and close only their own elements', () => {
    assert.match(wrap('</div></div><b>x'), />(?:<b>x<\/b>)<\/div>$/);
    assert.match(wrap('<html><body class=a>x</body></html>'), />x<\/div>$/);
    assert.match(wrap('x<!-- '), />x<\/div>$/);
    assert.match(wrap('x<b title="'), />x<\/div>$/);
    assert.match(wrap('<style>b{'), /<style>b\{<\/style><\/div>$/);
  });

  void it('count pages in SVG without ending it', () => {
    assert.match(
      wrap('<svg><text>{{page}}<foreignObject>{{pages}}</foreignObject></svg>{{page}}'),
      /<text><tspan class="pageNumber"><\/tspan><foreignObject><span class="totalPages"><\/span><\/foreignObject><\/svg><span class="pageNumber"><\/span>/,
    );
  });

  void it('refuse escapes in at-rules that load something, and nothing else', () => {
    const refused = [
      '<style>@\\69mport "x"</style>',
      '<style>@imp\\6frt "x"</style>',
      '<svg><style>@&#105;mport "x"</style></svg>',
      '<style>@font-face{src:\\75rl(x)}</style>',
      '<svg><style>@FONT-FACE{src:&#117;rl(x)}</style></svg>',
    ];
    for (const html of refused) {
      assert.throws(
        () => checkTemplate('footer_html', html),
        { code: 'invalid_parameter', param: 'footer_html' },
        html,
      );
    }
    const allowed = [
      '<link rel=stylesheet href=x>',
      '<style>@import "x";b{content:"\\201c"}</style>',
      '<style>@font-face{font-family:a;src:url(https://x/?a=1&b=2)}b{content:"\\201c"}</style>',
      '<img src="http://x/">',
      '<p>me@example&#46;com, @acme&#160;',
    ];
    for (const html of allowed) assert.doesNotThrow(() => checkTemplate('footer_html', html), html);
  });
});
