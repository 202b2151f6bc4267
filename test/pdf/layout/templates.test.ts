import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { generate } from '../support/open-engine.ts';
import { shareEngine } from '../support/shared-engine.ts';
import { readPdf } from '../support/read-pdf.ts';

let engine: PdfEngine;
before(async () => {
  engine = await shareEngine();
});

async function print(body: Record<string, unknown>): Promise<string[]> {
  const { pages } = await readPdf((await generate(engine, body)).pdf);
  return pages.map(({ text }) => text.replace(/\s+/g, ' ').trim());
}

const LOOP = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}';

it('data fill html, header and footer; placeholders are those of the page, and data stay text', async () => {
  const body = {
    template: 'liquid',
    data: { customer: '<b>Ann</b> {{page}}', page: 7, items: [{ name: 'Shelf' }, { name: 'Desk' }] },
    html: '<p>{{ customer }} {{ page }}{% for item in items %}, {{ forloop.index }} {{ item.name }}{% endfor %}',
    header_html: '[{{ customer }} {{ page }}/{{- pages }}]',
    footer_html: '({{ items | map: "name" | join: "+" }})',
  };
  for (const lane of [{}, { wait_for: 0 }]) {
    const [text = ''] = await print({ ...body, ...lane });
    assert.ok(text.includes('<b>Ann</b> {{page}} 7, 1 Shelf, 2 Desk'), text);
    assert.ok(text.includes('[<b>Ann</b> {{page}} 1/1]'), text);
    assert.ok(text.includes('(Shelf+Desk)'), text);
  }
});

it('data fill further documents, the first header and the watermark too', async () => {
  const texts = await print({
    template: 'liquid',
    data: { a: 'A&B', s: '{{pages}}' },
    html: '1 {{ a }}',
    more_documents: [{ html: '2 {{ a }}' }],
    header_html: '[{{ a }} {{ page }}]',
    first_header_html: '[first {{ s }} {{ pages }}]',
    watermark_html: '<b>({{ a }})</b>',
  });
  for (const [index, header] of ['[first {{pages}} 2]', '[A&B 2]'].entries())
    for (const part of [`${index + 1} A&B`, header, '(A&B)'])
      assert.ok(texts[index]?.includes(part), `${part}: ${texts[index]}`);
});

it('without template, braces are text', async () => {
  const [text = ''] = await print({ html: '<p>{{ a }} {% if %}', header_html: '[{{ a }} {{page}}]' });
  assert.ok(text.includes('{{ a }} {% if %}') && text.includes('[{{ a }} 1]'), text);
});

it('a template that loops or is wrong is an error, and others are printed meanwhile', async () => {
  const html = 'Hello {{ name }}';
  const hello = { template: 'liquid', html, data: { name: 'Ann' } };
  const [, , [text]] = await Promise.all([
    assert.rejects(generate(engine, { ...hello, html: LOOP }), { code: 'timeout' }),
    assert.rejects(generate(engine, { ...hello, header_html: 'a\n{{ b | c }}' }), {
      code: 'invalid_parameter',
      param: 'header_html',
      message: 'Line 2, column 1 of header_html: there is no filter "c".',
    }),
    print(hello),
  ]);
  assert.equal(text, 'Hello Ann');
});

it('the templates of docs/reference/pdf.md print what it says', async () => {
  const page = await readFile(new URL('../../../docs/reference/pdf.md', import.meta.url), 'utf8');
  const examples = page.matchAll(/^```liquid\n([^]*?)\n```\nWith `(\{.*\})`[^]*?^```text\n([^]*?)\n```$/gm);
  let count = 0;
  for (const [, template = '', data = '', expected] of examples) {
    // Filters make a text of what was captured.
    const html = `{% capture all %}${template}{% endcapture %}{{ all | append: "" }}`;
    const { pages } = await readPdf(
      (await generate(engine, { template: 'liquid', html, data: JSON.parse(data) as unknown })).pdf,
    );
    assert.equal(pages[0]?.text.replace(/\s+/g, ''), expected?.replace(/\s+/g, ''));
    count += 1;
  }
  assert.equal(count, 2);
});
