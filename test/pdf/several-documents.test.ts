/** more_documents: several documents in one PDF. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { generate, NOT_SERVED, openEngine } from './support/open-engine.ts';
import { readPdf } from './support/read-pdf.ts';
import { shareEngine } from './support/shared-engine.ts';
import { scaledMs } from '../support/patience.ts';

let engine: PdfEngine;
/** The requests for resources, by render: each document has a budget of its own. */
const fetched: string[][] = [];

before(async () => {
  engine = await shareEngine(() => {
    const urls: string[] = [];
    fetched.push(urls);
    return ({ url }) => {
      urls.push(url);
      return Promise.resolve(NOT_SERVED);
    };
  });
});

interface Rendered {
  /** The size of each page in points, and its text. */
  pages: string[];
  count: number;
  warnings: string[];
  lane: string;
  title: string;
}

async function render(members: Record<string, unknown>): Promise<Rendered> {
  const { pdf, pages: count, warnings, lane } = await generate(engine, members);
  const { pages, title } = await readPdf(pdf);
  const toText = ({ width, height, text }: (typeof pages)[number]): string =>
    `${Math.round(width)}x${Math.round(height)} ${text.replaceAll('\n', '|')}`;
  return { pages: pages.map(toText), count, warnings, lane, title };
}

const link = (href: string): string => `<a class=page-number href="${href}">x </a>`;
const chapter = (id: string): string => `<h1 id="${id}" style="break-before:page">${id}</h1>`;
const twoPages = (first: string, second: string): string =>
  `<p style="break-after:page">${first}<p>${second}`;

void describe('several documents', () => {
  void it('follow one another, each on its own sheets, in its own lane', async () => {
    const { pages, ...rest } = await render({
      html: `<title>One</title>${twoPages('a', 'b')}`,
      more_documents: [
        { html: `<title>Two</title>${twoPages('c', 'd')}`, page_size: 'A5', orientation: 'landscape' },
        { html: '<script>document.write("written")</script>', page_width: '100mm', page_height: '100mm' },
      ],
    });
    assert.deepEqual(pages, ['596x842 a', '596x842 b', '596x420 c', '596x420 d', '284x284 written']);
    assert.deepEqual(rest, { count: 5, warnings: [], lane: 'warm', title: 'One' });
  });

  void it('share css, media, javascript and now', async () => {
    const html = '<p>x<script>document.write(new Date().getFullYear())</script>';
    const { pages } = await render({
      html,
      more_documents: [{ html }],
      css: 'p::before{content:"css "}',
      now: '2001-02-03T00:00:00Z',
    });
    assert.deepEqual(pages, ['596x842 css x2001', '596x842 css x2001']);
  });

  void it('are numbered through by header and footer', async () => {
    const { pages } = await render({
      html: twoPages('a', 'b'),
      more_documents: [{ html: 'c' }],
      header_html: 'H {{page}}',
      footer_html: '{{page}}/{{pages}}',
    });
    assert.deepEqual(pages, ['596x842 aH 11/3', '596x842 bH 22/3', '596x842 cH 33/3']);
  });

  void it('are waited for only if they are the first', async () => {
    const late = '<p>a<script>setTimeout(() => { done = true; document.body.append("b") }, 5e3)</script>';
    const { pages } = await render({
      html: late,
      more_documents: [{ html: 'c' }],
      wait_for_expression: 'window.done',
    });
    assert.deepEqual(pages, ['596x842 a|b', '596x842 c']);
  });

  void it('have one budget of resources each', async () => {
    fetched.length = 0;
    const html = '<img src=http://a.example/i.png>';
    const { warnings } = await render({ html, more_documents: [{ html }] });
    assert.deepEqual(fetched, [['http://a.example/i.png'], ['http://a.example/i.png']]);
    assert.deepEqual(warnings, [
      'Document 2: The image http://a.example/i.png is not served.',
      'The image http://a.example/i.png is not served.',
    ]);
  });

  void it('are one PDF for page_ranges', async () => {
    const members = {
      html: twoPages('a', 'b'),
      more_documents: [{ html: twoPages('c', 'd') }],
      header_html: '{{page}}/{{pages}}',
    };
    const { pages, count } = await render({ ...members, page_ranges: '2-3,9' });
    assert.deepEqual(pages, ['596x842 b2/4', '596x842 c3/4']);
    assert.equal(count, 2);
    await assert.rejects(render({ ...members, page_ranges: '5-' }), {
      code: 'invalid_parameter',
      param: 'page_ranges',
      message: 'page_ranges asks for pages that the document does not have: it has 4 pages.',
    });
  });
});

void it('the example of docs/reference/pdf.md has two documents', async () => {
  const page = await readFile(new URL('../../docs/reference/pdf.md', import.meta.url), 'utf8');
  const example = /## Several documents\n[^]*?```json\n([^]*?)```/.exec(page)?.[1] ?? '';
  const { pages } = await render(JSON.parse(example) as Record<string, unknown>);
  assert.deepEqual(pages, ['596x842 ReportPage 1 of 2', '1191x842 PlanPage 2 of 2']);
});

void describe('links between documents', () => {
  void it('show the pages of their targets, in any direction', async () => {
    const { pages, warnings } = await render({
      html: `${link('#one')}${link('#two')}${link('#ä')}${chapter('one')}`,
      more_documents: [
        { html: `${link('#one')}${link('#ä')}${chapter('two')}` },
        { html: `<script>document.write('${link('#two')}')</script>${chapter('ä')}` },
      ],
    });
    assert.deepEqual(
      pages.map((page) => page.slice('596x842 '.length)),
      ['x 2x 4x 6', 'one', 'x 2x 6', 'two', 'x 4', 'ä'],
    );
    assert.deepEqual(warnings, []);
  });

  void it('prefer a target of their own document, and warn of none', async () => {
    const { pages, warnings } = await render({
      html: `a${chapter('x')}`,
      more_documents: [{ html: `${link('#x')}${link('#none')}${chapter('x')}` }],
    });
    assert.equal(pages[2], '596x842 x 4x');
    assert.deepEqual(warnings, [
      'Document 2: A link shows no page number, as its target is on no page: #none.',
    ]);
  });

  void it('are right if the contents get longer by their numbers', async () => {
    const { pages } = await render({
      html: link('#z'),
      css: `a[style*='"2"']{display:block;break-after:page}`,
      more_documents: [{ html: '<p id=z>z' }],
    });
    assert.deepEqual(pages.at(-1), '596x842 z');
    assert.equal(/x (\d+)/.exec(pages.join(' '))?.[1], String(pages.length));
  });
});

void describe('a document that fails', () => {
  const fail = (html: string, more: Record<string, unknown> = {}): Promise<unknown> =>
    render({ html: 'a', more_documents: [{ html: 'b' }, { html }], ...more });

  void it('is named by the error', async () => {
    await assert.rejects(fail('<script>window.close()</script>'), {
      code: 'render_failed',
      message: 'Document 3: The document closed itself: remove its call of window.close().',
    });
    await assert.rejects(fail('<img src=http://a.example/i.png>', { strict: true }), {
      code: 'render_failed',
      message: /strict refuses: Document 3: The image/,
    });
  });

  void it('by the size of all prints is an error, with those of headers, footers and watermark', async () => {
    await using small = await openEngine({ slots: 1, maxPdfBytes: 2 ** 18 });
    // A font of 400 characters is about 200 kB.
    const characters = Array.from({ length: 400 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
    const message =
      'The PDF would be larger than 0.25 MiB: make its documents, headers, footers and watermark, or their images, smaller.';
    for (const body of [
      { html: characters, more_documents: [{ html: 'a' }, { html: characters }] },
      { html: characters, watermark_html: characters },
      { html: 'a', more_documents: [{ html: 'b' }], header_html: characters, footer_html: characters },
    ])
      await assert.rejects(generate(small, body), { code: 'render_failed', message });
    const body = { html: characters, more_documents: [{ html: 'a' }], watermark_html: 'b', header_html: 'c' };
    assert.ok((await generate(small, body)).pages > 1);
  });

  void it('by a loop ends at the deadline of the request', async () => {
    await using quick = await openEngine({ smallDocumentMs: scaledMs(1_000) });
    const body = { html: 'a', more_documents: [{ html: '<script>for(;;);</script>' }] };
    await assert.rejects(generate(quick, body), {
      code: 'timeout',
      message: new RegExp(
        `^Document 2: The document did not finish rendering within ${(1_000 + scaledMs(1_000)) / 1_000} s \\(loading took \\d+(?:\\.\\d)? s, printing 0(?:\\.\\d)? s\\): check its scripts for loops`,
      ),
    });
    assert.equal((await generate(quick, { html: 'next', wait_for: 'body' })).pages, 1);
  });
});

void it('twenty large documents are one PDF, with the numbers of all', async () => {
  const text = `<p>${'word '.repeat(200)}</p>`;
  const html = text.repeat(Math.floor(262_144 / 16 / text.length));
  const more = Array.from({ length: 19 }, (_, index) => ({ html: `<h1 id=c${index}>C</h1>${html}` }));
  const toc = more.map((_, index) => link(`#c${index}`)).join('');
  const { pages, count, warnings } = await render({ html: toc, more_documents: more });
  const each = (count - 1) / 19;
  assert.ok(Number.isInteger(each) && each > 1, `${count}`);
  const numbers = more.map((_, index) => `x ${2 + index * each}`).join('');
  assert.equal(pages[0], `596x842 ${numbers}`);
  assert.deepEqual(warnings, []);
});
