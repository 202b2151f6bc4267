/** Statements of the references of PDF and fonts about documents in general, and the tips of the former. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import {
  parsePdfRequest,
  type PdfEngine,
  type Resource,
  type ResourceFailure,
  type ResourceRequest,
} from '#pdf';
import { computeDeadlineMs } from '../../../src/pdf/pdf-job.ts';
import { installLibraries } from '../fixtures/install-libraries.ts';
import { generate, NOT_SERVED } from '../support/open-engine.ts';
import { readFonts, readPdf, type TextRun } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

const DOCS = readFileSync(new URL('../../../docs/reference/pdf.md', import.meta.url), 'utf8');
const TIPS = /^## Tips\n([^]*?)^## /m.exec(DOCS)?.[1] ?? '';

let engine: PdfEngine;
let packages = '';

before(async () => {
  packages = await installLibraries();
  engine = await shareEngine(() => serve);
});

async function serve({ url }: ResourceRequest): Promise<Resource | ResourceFailure> {
  const respond = (type: string, body: Buffer | string): Resource => {
    return { url, status: 200, headers: [['content-type', type]], body: Buffer.from(body) };
  };
  if (url === 'https://cdn.jsdelivr.net/npm/chart.js@4')
    return respond('text/javascript', await readFile(join(packages, 'chart.js/dist/chart.umd.min.js')));
  return url === 'https://other.example/data.json' ? respond('application/json', '"read"') : NOT_SERVED;
}

/** Returns the example in this language under this heading of the tips. */
function getExample(heading: string, language: string): string {
  const section = TIPS.split('### ').find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const example = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(section)?.[1];
  assert.ok(example, `docs/reference/pdf.md has no example in ${language} of ${heading}`);
  return example;
}

/** Renders a request and returns the runs of text on its first page. */
async function print(body: object): Promise<TextRun[]> {
  const { pages } = await readPdf((await generate(engine, { ...body })).pdf);
  return pages[0]?.runs ?? [];
}

/** Renders a document that prints the value of an expression, and returns its text. */
async function evaluate(expression: string, body: object = {}): Promise<string> {
  const html = `<p id=o></p><script>Promise.resolve(${expression}).then((value) => { o.textContent = value })</script>`;
  return joinTexts(await print({ html, ...body }));
}

function joinTexts(runs: readonly TextRun[]): string {
  return runs.map(({ text }) => text).join(' ');
}

function findRun(runs: readonly TextRun[], text: string): TextRun {
  const run = runs.find((one) => one.text.startsWith(text));
  assert.ok(run, `${text} is not printed: ${joinTexts(runs)}`);
  return run;
}

describe('scripts', () => {
  it('see a window of 800 × 600 pixels on any sheet, UTC and en-US', async () => {
    const expression =
      '[innerWidth, innerHeight, devicePixelRatio, new Date().getTimezoneOffset(), navigator.language].join()';
    for (const sheet of [{}, { page_size: 'A3', orientation: 'landscape', lang: 'de' }])
      assert.equal(await evaluate(expression, sheet), '800,600,1,0,en-US');
  });

  it('read the responses of other origins', async () => {
    const expression = 'fetch("https://other.example/data.json").then((response) => response.json())';
    assert.equal(await evaluate(expression, { base_url: 'https://site.example/' }), 'read');
  });

  it('have their timers waited for until 12 s, and later ones with wait_for_expression', async () => {
    const timer = (ms: number): object => ({
      html: `<p id=o>early</p><script>setTimeout(() => { o.textContent = "late"; window.isLate = true }, ${ms})</script>`,
    });
    assert.equal(joinTexts(await print(timer(11_900))), 'late');
    assert.equal(joinTexts(await print(timer(12_500))), 'early');
    assert.equal(joinTexts(await print({ ...timer(12_500), wait_for_expression: 'window.isLate' })), 'late');
  });
});

it('an image that is not loaded is the text of alt, without its size unless it is a block', async () => {
  const image = '<img src="https://other.example/a.png" alt="Logo" width="400" height="100">';
  const after = '<code>after</code>';
  const inline = await print({ html: `<!doctype html><p>before ${image}${after}` });
  assert.match(joinTexts(inline), /before\s+Logo\s+after/);
  assert.ok(findRun(inline, 'after').x < 200);
  const block = image.replace('<img', '<img style="display:inline-block"');
  const withSize = await print({ html: `<!doctype html><p>before ${block}${after}` });
  assert.ok(findRun(withSize, 'after').x > 300);
  const header = await print({ html: 'x', header_html: `<p>before ${image}`, margin_top: '60mm' });
  assert.match(joinTexts(header), /Logo/);
});

describe('headers and footers', () => {
  const header = { html: '<p>body', header_html: '<div>head</div>' };

  it('are not changed by scale, css, or a document that is shrunk', async () => {
    const { height } = findRun(await print(header), 'head');
    const wide = '<p>body<div style="width:1000px;background:red">&nbsp;</div>';
    for (const member of [{ scale: 0.5 }, { css: 'div { font-size: 30pt }' }, { html: wide }])
      assert.equal(findRun(await print({ ...header, ...member }), 'head').height, height);
  });

  it('count all pages of the document, also with page_ranges', async () => {
    const html = '<p>1<p style="break-before:page">2<p style="break-before:page">3';
    const runs = await print({ html, header_html: '{{page}} of {{pages}}', page_ranges: '2' });
    assert.match(joinTexts(runs), /2\s+of\s+3/);
  });

  it('are measured despite a script if the request has their margin, unless their content is absolute', async () => {
    const tall = '<div style="height:30mm">head</div>';
    const warn = async (body: object): Promise<number> =>
      (await generate(engine, { html: '<p>x<script>1</script>', ...body })).warnings.length;
    assert.equal(await warn({ header_html: tall }), 0);
    assert.equal(await warn({ header_html: tall, margin_top: '20mm' }), 1);
    const absolute = tall.replace('height', 'position:absolute;height');
    assert.equal(await warn({ header_html: absolute, margin_top: '20mm' }), 0);
  });
});

it('a tagged PDF without a language and a title names neither, and is not declared PDF/UA-1', async () => {
  const { pdf, warnings } = await generate(engine, { html: '<p>Guten Tag', tagged: true });
  const { language, isTagged, xmp } = await readPdf(pdf);
  assert.deepEqual([language, isTagged, xmp?.includes('pdfuaid') ?? false], [null, true, false]);
  assert.equal(warnings.length, 2);
});

it('a family that is not known is printed in the next of its list, and at the end in Tinos', async () => {
  for (const [family, font] of [
    ['Inter', /Tinos/],
    ['-apple-system', /Tinos/],
    ['Inter, sans-serif', /Arimo/],
  ] as const) {
    const { pdf } = await generate(engine, { html: `<p style="font-family:${family}">text` });
    assert.match((await readFonts(pdf)).join(), font, family);
  }
});

describe('of the tips,', () => {
  it('the chart is as wide as its box and has its text', async () => {
    const html = `<!doctype html><p>body</p>${getExample('Charts', 'html')}`;
    const runs = await print({ html });
    assert.match(joinTexts(runs), /Sales.*May.*June/);
    const { height } = findRun(runs, 'body');
    assert.ok(Math.abs(height - 12) < 0.01, `the document was shrunk: ${height}`);
    const wide = await print({ html: html.replace('width: 170mm', '') });
    assert.ok(Math.abs(findRun(wide, 'body').height / height - 0.86) < 0.02);
    const image = await print({
      html: html.replace("addEventListener('beforeprint', () => chart.draw());", ''),
    });
    assert.doesNotMatch(joinTexts(image), /Sales/);
  });

  it('the header begins where the document does, and its right part is on the right', async () => {
    const html = '<p>body<p style="text-align:right">Page 1 of 1';
    const body = { html, header_html: getExample('Headers that align', 'html') };
    const aligned = await print({ ...body, css: getExample('Headers that align', 'css') });
    const [inHeader, inDocument] = [findRun(aligned, 'Annual report').x, findRun(aligned, 'body').x];
    assert.ok(Math.abs(inHeader - inDocument) < 1, `${inHeader} ${inDocument}`);
    const apart = await print(body);
    assert.ok(findRun(apart, 'body').x - findRun(apart, 'Annual report').x > 5);
    assert.ok(findRun(aligned, 'Page').x > 450);
  });

  it('wait_for with a selector that matches raises the time limit', () => {
    assert.match(TIPS, /`"wait_for": "body"` raises the time limit to 30 s/);
    const deadline = (body: object): number =>
      computeDeadlineMs(parsePdfRequest({ html: 'x', ...body }), { timeoutMs: 30_000 });
    assert.deepEqual([deadline({}), deadline({ wait_for: 'body' })], [10_000.004, 30_000]);
  });
});
