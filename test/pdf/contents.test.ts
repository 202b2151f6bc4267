/** Page numbers of links: the class page-number, and target-counter() in CSS. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { PdfEngine, Resource } from '#pdf';
import { generate, NOT_SERVED } from './support/open-engine.ts';
import { readPdf } from './support/read-pdf.ts';
import { shareEngine } from './support/shared-engine.ts';

const files: Record<string, { type: string; body: string }> = {};

function serve(url: string): Resource | typeof NOT_SERVED {
  const file = files[new URL(url).pathname];
  if (!file) return NOT_SERVED;
  return { url, status: 200, headers: [['content-type', file.type]], body: Buffer.from(file.body) };
}

let engine: PdfEngine;

before(async () => {
  engine = await shareEngine(
    () =>
      ({ url }) =>
        Promise.resolve(serve(url)),
  );
});

interface Rendered {
  /** The texts of the pages. */
  pages: string[];
  warnings: string[];
  lane: string;
}

async function render(members: Record<string, unknown>): Promise<Rendered> {
  const { pdf, warnings, lane } = await generate(engine, members);
  const { pages } = await readPdf(pdf);
  return { pages: pages.map(({ text }) => text.replaceAll('\n', '|')), warnings, lane };
}

/** A heading on a page of its own. */
const chapter = (id: string): string => `<h1 id="${id}" style="break-before:page">Chapter</h1>`;
const CHAPTERS = chapter('a') + chapter('b') + chapter('c');
const link = (href: string, text = 'x '): string => `<a class=page-number href="${href}">${text}</a>`;
const COUNTER = 'a::after{content:target-counter(attr(href), page)}';

void describe('a link of the class page-number', () => {
  void it('shows the page of its target, in both lanes', async () => {
    for (const [script, lane] of [
      ['', 'static'],
      ['<script>0</script>', 'warm'],
    ] as const) {
      const { pages, ...rest } = await render({ html: `${link('#b')}${link('#c')}${CHAPTERS}${script}` });
      assert.equal(pages[0], 'x 3x 4');
      assert.deepEqual(rest, { warnings: [], lane });
    }
  });

  void it('shows it if a script made the link, also one that is loaded', async () => {
    const source = `document.body.insertAdjacentHTML('afterbegin', '${link('#b')}')`;
    files['/toc.js'] = { type: 'text/javascript', body: source };
    for (const script of [`<script>${source}</script>`, '<script src=http://a.example/toc.js></script>']) {
      const { pages } = await render({ html: `<body>${CHAPTERS}${script}` });
      assert.match(pages[0] ?? '', /^x 3/, script);
    }
  });

  void it('shows it without scripts', async () => {
    const { pages } = await render({
      html: `${link('#a')}${CHAPTERS}<script>0</script>`,
      javascript: false,
    });
    assert.equal(pages[0], 'x 2');
  });

  void it('has its number in text of its own, which CSS can replace', async () => {
    const css = 'a.page-number::after{content:"page " var(--page-number)}';
    const { pages } = await render({ html: `${link('#a', '')}${CHAPTERS}`, css });
    assert.equal(pages[0], 'page 2');
  });

  void it('finds its target by any form of a fragment', async () => {
    const ids = ['ä b', 'x"y', "it's", '100%', '漢', 'a\\b', '(1)'];
    const forms = ['ä b', '%C3%A4%20b', 'x&quot;y', '%22', "it's", '100%', '漢', '%E6%BC%A2', 'a\\b', '(1)'];
    const links = forms.map((form) => link(`#${form}`)).join('');
    const { pages, warnings } = await render({
      html: links + ids.map((id) => chapter(id.replaceAll('"', '&quot;'))).join(''),
    });
    assert.equal(pages[0], 'x 2x 2x 3x x 4x 5x 6x 6x 7x 8');
    assert.deepEqual(warnings, ['A link shows no page number, as its target is on no page: #%22.']);
  });

  void it('shows the first of several targets of one name, and a name of an anchor', async () => {
    const html = `${link('#a')}${link('#n')}${chapter('a')}${chapter('a')}<p style="break-before:page"><a name=n>n</a>`;
    assert.equal((await render({ html })).pages[0], 'x 2x 4');
  });

  void it('shows no number of another document, and warns of a target that is on no page', async () => {
    const html = `${link('#none')}${link('#hidden')}${link('http://a.example/#a')}<p hidden id=hidden>y</p>${chapter('a')}`;
    const { pages, warnings } = await render({ html });
    assert.equal(pages[0], 'x x x');
    assert.deepEqual(
      warnings,
      ['none', 'hidden'].map((name) => `A link shows no page number, as its target is on no page: #${name}.`),
    );
  });

  void it('is within the document that base_url names', async () => {
    const { pages } = await render({
      html: `${link('#a')}${link('http://a.example/doc#a')}${CHAPTERS}`,
      base_url: 'http://a.example/doc',
    });
    assert.equal(pages[0], 'x 2x 2');
  });

  void it('shows the pages of the whole document if page_ranges select some', async () => {
    const { pages } = await render({ html: `${link('#c')}${CHAPTERS}`, page_ranges: '1,4' });
    assert.deepEqual(pages, ['x 4', 'Chapter']);
  });
});

void describe('a number that moves what follows', () => {
  void it('is printed again until it is right', async () => {
    const css = `a[style*='"00"']{display:block;height:300mm}`;
    const { pages, warnings } = await render({ html: `${link('#a')}<p>y</p>${chapter('a')}`, css });
    assert.deepEqual([pages[0], pages.length], ['x 2|y', 2]);
    assert.deepEqual(warnings, []);
  });

  void it('and never is right is printed three times, with a warning', async () => {
    const css = `a[style*='"2"']{display:block;height:300mm}a[style*='"3"']{display:inline}`;
    const { warnings } = await render({ html: `${link('#a')}<p>y</p>${chapter('a')}`, css });
    assert.deepEqual(warnings, [
      'The page numbers of links change the pages that they name: some of them are wrong. Give them a fixed width.',
    ]);
  });
});

void describe('target-counter()', () => {
  const html = `<a href="#b">x</a>${CHAPTERS}`;

  void it('has the page of the target of a link, in a style element and in css', async () => {
    for (const members of [{ html: `<style>${COUNTER}</style>${html}` }, { html, css: COUNTER }])
      assert.equal((await render(members)).pages[0], 'x3');
  });

  void it('has it in a style sheet that is linked or imported, in both lanes', async () => {
    files['/toc.css'] = { type: 'text/css', body: COUNTER };
    for (const head of ['<link rel=stylesheet href=toc.css>', '<style>@import "toc.css"</style>'])
      for (const [script, lane] of [
        ['', 'static'],
        ['<script>0</script>', 'warm'],
      ] as const) {
        const rendered = await render({ html: `${head}${html}${script}`, base_url: 'http://a.example/' });
        assert.deepEqual([rendered.pages[0], rendered.lane], ['x3', lane], head);
      }
  });

  void it('has it in a style element that a script makes, also one that is loaded', async () => {
    const source = `const style = document.createElement('style');
      style.textContent = ${JSON.stringify(`/* x */ ${COUNTER} a::before{content:target-counter(attr(href),page,upper-roman) ' '}`)};
      document.body.append(style);`;
    files['/style.js'] = { type: 'text/javascript', body: source };
    for (const script of [`<script>${source}</script>`, '<script src=http://a.example/style.js></script>']) {
      const { pages, warnings } = await render({ html: `<body>${html}${script}` });
      assert.deepEqual([pages[0], warnings], ['III x3', []], script);
    }
  });

  void it('has it in var(--page-number) of a style sheet that a script constructs', async () => {
    const script = `<script>
      const sheet = new CSSStyleSheet();
      sheet.insertRule('a.page-number::after { content: "p. " var(--page-number) }');
      document.adoptedStyleSheets = [sheet];
    </script>`;
    assert.equal((await render({ html: `${link('#b')}${CHAPTERS}${script}` })).pages[0], 'x p. 3');
  });

  void it('may be beside other content, with attr(href url) and with a counter style', async () => {
    const css = `a::before{content:"p. " target-counter(attr(href url), page, upper-roman) " "}
      a::after{content:" (" target-counter( attr(href),page,no-such-style ) ")"} /* target-counter( */
      p::after{content:"target-counter(attr(href), page)"} target-counter(`;
    const { pages } = await render({ html: `${html}<p>`, css });
    assert.equal(pages[0], 'p. III x (3)');
    assert.equal(pages[3], 'Chapter|target-counter(attr(href), page)');
  });

  void it('stays text outside of CSS', async () => {
    const text = 'target-counter(attr(href), page)';
    assert.equal((await render({ html: `<p title="${text}">${text}` })).pages[0], text);
  });

  void it('warns of a link without a target only if the link shows a number', async () => {
    const css = '.toc::after{content:target-counter(attr(href), page)}';
    const { warnings } = await render({ html: '<a href=#y>x</a><a class=toc href=#z>x</a>', css });
    assert.deepEqual(warnings, ['A link shows no page number, as its target is on no page: #z.']);
  });
});

void it('the examples of docs/reference/pdf.md show page numbers', async () => {
  const page = await readFile(new URL('../../docs/reference/pdf.md', import.meta.url), 'utf8');
  const section = page.slice(page.indexOf('## Contents with page numbers'));
  const find = (language: string): string =>
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section)?.[1] ?? '';
  const { pages } = await render({ html: find('html') });
  assert.match(pages[0] ?? '', /^Outlook, page 1/);
  const css = find('css');
  const styled = await render({ html: `<nav><a href="#a">A</a></nav>${chapter('a')}`, css });
  assert.match(styled.pages[0] ?? '', /^A ?2$/);
});

void describe('a hostile document', () => {
  void it('cannot replace the functions that number its links', async () => {
    const names = ['querySelectorAll', 'getElementById', 'createElement', 'documentElement', 'head'];
    const html = `${names.map((name) => `<form name=${name}></form>`).join('')}${link('#a')}${CHAPTERS}
      <script>Document.prototype.querySelectorAll = URL.parse = Map.prototype.get = () => { throw 0 }</script>`;
    const { pages, warnings } = await render({ html });
    assert.match(pages[0] ?? '', /^x 2/);
    assert.deepEqual(warnings, []);
  });

  void it('with thousands of links is numbered', async () => {
    const length = process.env['TEST_FULL'] === '1' ? 5_000 : 1_000;
    const names = Array.from({ length }, (_, index) => `t${index}`);
    const links = names.map((name) => link(`#${name}`, '')).join(' ');
    const targets = names.map((name) => `<i id=${name}>y</i>`).join(' ');
    const { pages, warnings } = await render({ html: `${links}<p style="break-before:page">${targets}` });
    const numbers = pages.slice(0, -1).join(' ').match(/\d+/g) ?? [];
    const first = pages.findIndex((page) => page.startsWith('y'));
    assert.equal(numbers.length, names.length);
    assert.equal(numbers[0], String(first + 1));
    assert.equal(numbers.at(-1), String(pages.length));
    assert.deepEqual(warnings, []);
  });
});
