import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { generate, openEngine } from '../support/open-engine.ts';
import { readPdf } from '../support/read-pdf.ts';

const NOW = Date.parse('2026-11-22T23:30:00Z');

let engine: PdfEngine;

before(async () => {
  // The clock of a test advances, as deadlines are measured with it.
  const startedAt = Date.now();
  engine = await openEngine({ now: () => NOW + Date.now() - startedAt });
});
after(() => engine.close());

/** Returns the header of the first page, in brackets. */
async function readHeader(header: string, members: Record<string, unknown> = {}): Promise<string> {
  const body = { html: '<p>body', header_html: `[${header}]`, ...members };
  const [page] = (await readPdf((await generate(engine, body)).pdf)).pages;
  return /\[.*\]/s.exec(page?.text ?? '')?.[0].replace(/\s+/g, ' ') ?? '';
}

it('{{title}} is the title of the request, else that of the document, else empty', async () => {
  const html = '<title>Own & "x"</title><p>body';
  const title = 'A < B & "C" $& <b>';
  for (const lane of [{}, { wait_for: 0 }]) {
    assert.equal(await readHeader('{{title}}', { ...lane, html, title }), `[${title}]`);
    assert.equal(await readHeader('{{ title }}', { ...lane, html }), '[Own & "x"]');
    assert.equal(await readHeader('{{title}}', lane), '[]');
  }
  const late = '<title>early</title><script>document.title="late"</script>';
  assert.equal(await readHeader('{{title}}', { html: late }), '[late]');
});

it('{{date}} is the date of now as it is written, else that of the render in UTC', async () => {
  assert.equal(await readHeader('{{date}}'), '[2026-11-22]');
  assert.equal(await readHeader('{{date}}', { now: '2031-02-03T00:30:00+02:00' }), '[2031-02-03]');
});

it('{{title}} and {{date}} are replaced in SVG, and removed from tags and styles', async () => {
  const svg = '<svg width=200 height=20><text y=15>{{title}}|{{date}}</text></svg>';
  assert.match(await readHeader(svg, { title: 'T' }), /T\|2026-11-22/);
  assert.equal(await readHeader('<style>b{}/*{{date}}*/</style><b title="{{title}}">x</b>'), '[x]');
});
