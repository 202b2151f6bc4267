/**
 * Validates archives and e-invoices with the programs that others judge them by: veraPDF, the reference
 * validator of PDF/A, and Mustang's of Factur-X and XRechnung. `npm test -- pdfa`. Not part of `npm test`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { COOKBOOK } from '../../scripts/pictures/recipes.ts';
import { INVOICE_PROFILES } from '../../src/pdf/finish/finishing.ts';
import { FEATURES } from '../pdf/documents/features.ts';
import { invoice } from '../pdf/documents/invoice.ts';
import { REALISTIC } from '../pdf/documents/realistic.ts';
import { report } from '../pdf/documents/report.ts';
import { scriptsPage } from '../pdf/documents/scripts.ts';
import { generate, openEngine, type TestEngine } from '../pdf/support/open-engine.ts';
import { HARD_CASES } from './documents/hard-cases.ts';
import { formatInvoiceXml } from './documents/invoice-xml.ts';
import { formatInvoicePage, INVOICES } from './documents/invoices.ts';
import type { JudgeName } from './judge/judge.ts';
import { openJudge } from './judge/open-judge.ts';

const judge = openJudge();
const FOOTER = '<b>{{page}}/{{pages}}</b> <a href="https://example.com">example.com</a>';
const counts = new Map<string, { files: number; failures: number }>();
const lanes = new Set<string>();
let engine: TestEngine;

after(() => judge?.close());

/** Renders a document, and fails if a validator has a complaint of the PDF. */
async function assertConforms(members: Record<string, unknown>, ...names: JudgeName[]): Promise<void> {
  const { pdf, lane } = await generate(engine, members);
  lanes.add(lane);
  for (const name of names) {
    const faults = (await judge?.judge(name, pdf)) ?? [];
    const count = counts.get(name) ?? { files: 0, failures: 0 };
    counts.set(name, { files: count.files + 1, failures: count.failures + Number(faults.length > 0) });
    assert.deepEqual(faults, [], name);
  }
}

const [BLENDING = '', PICTURES = ''] = [HARD_CASES['blending'], HARD_CASES['png']];
/** Requests whose PDF is joined of several by Chromium. */
const COMPOSED: Readonly<Record<string, Record<string, unknown>>> = {
  'a PDF of several documents': {
    more_documents: [
      {
        html: `<h1 id=end>second</h1><a href="#end">x</a>${PICTURES}`,
        page_size: 'A5',
        orientation: 'landscape',
      },
      { html: scriptsPage() },
      { html: BLENDING },
      { html: '<p>😀 <a href="https://example.com">x</a>' },
    ],
    footer_html: FOOTER,
  },
  'a PDF with a first header': {
    header_html: FOOTER,
    first_header_html: `<b>first</b> 😀 <img src="x">${PICTURES}`,
  },
  'a PDF with a watermark': {
    watermark_html: '<h1 style="opacity:.2;transform:rotate(30deg)">Draft 草稿</h1>',
  },
  'a PDF with a watermark over its pages': {
    watermark_html: BLENDING,
    watermark_position: 'over',
    more_documents: [{ html: '<p>b', page_size: 'A3' }],
  },
  'a PDF of some pages': {
    more_documents: [{ html: '<p>1<p style="break-before:page">2<p style="break-before:page">3' }],
    page_ranges: '1,3-',
  },
  'a PDF of a template': {
    template: 'liquid',
    data: { a: ['é', '<b>', '漢'] },
    header_html: '{{ a | join }} {{page}}',
  },
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  ...FEATURES,
  ...REALISTIC,
  ...HARD_CASES,
  invoice: invoice(),
  report: report(3),
  scripts: scriptsPage(),
};

void describe('with veraPDF and Mustang', { skip: judge === null }, () => {
  before(async () => {
    engine = await openEngine();
  });
  after(async () => {
    await engine.close();
    for (const [name, { files, failures }] of counts)
      console.log(
        `${name === 'mustang' ? 'Mustang 2.26.0' : `veraPDF 1.30.2, profile ${name}`}: ${files} files, ${failures} failures`,
      );
  });

  for (const [index, [name, html]] of Object.entries(DOCUMENTS).entries()) {
    const footer = index % 3 === 0 ? { footer_html: FOOTER } : {};
    void it(`${name} is an archive (PDF/A-3b)`, async () => {
      await assertConforms({ html, pdfa: '3b', ...footer }, '3b');
    });
    if (index % 2 === 0)
      void it(`${name} is an archive, tagged and with an outline`, async () => {
        await assertConforms({ html, pdfa: '3b', tagged: true, outline: true, ...footer }, '3b');
      });
  }

  for (const data of INVOICES) {
    for (const profile of INVOICE_PROFILES)
      void it(`the invoice in ${data.language} is an e-invoice of the profile ${profile}`, async () => {
        const xml = formatInvoiceXml(profile, data);
        await assertConforms({ html: formatInvoicePage(data), facturx: { xml, profile } }, '3b', 'mustang');
      });
  }

  void it('an e-invoice may be accessible too (PDF/UA-1)', async () => {
    for (const data of INVOICES) {
      const facturx = { xml: formatInvoiceXml('EXTENDED', data), profile: 'EXTENDED' };
      const request = { html: formatInvoicePage(data), facturx, tagged: true, strict: true };
      await assertConforms(request, '3b', 'ua1', 'mustang');
    }
  });

  void it('an archive has metadata of all kinds, and attachments', async () => {
    const attachments = [
      {
        name: 'übersicht 📈.csv',
        media_type: 'text/csv',
        base64: 'YSxi',
        relationship: 'data',
        description: 'é',
      },
      { name: 'x.bin', media_type: 'application/octet-stream', base64: 'AAAA' },
      {
        name: 'ž.docx',
        media_type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        base64: '',
      },
    ];
    const metadata = {
      title: 'T & <T> 漢',
      author: 'Zoë',
      subject: 'S',
      keywords: ['a', 'é'],
      lang: 'de',
      now: '2026-11-02T10:00:00Z',
    };
    await assertConforms({ html: '<p>x', pdfa: '3b', ...metadata, attachments }, '3b');
    const [data] = INVOICES;
    assert.ok(data);
    const facturx = { xml: formatInvoiceXml('EN 16931', data), profile: 'EN 16931' };
    await assertConforms({ html: '<p>x', ...metadata, attachments, facturx }, '3b', 'mustang');
  });

  for (const [name, members] of Object.entries(COMPOSED))
    void it(`${name} is an archive, tagged or not, with and without an e-invoice`, async () => {
      const [data] = INVOICES;
      assert.ok(data);
      const html = formatInvoicePage(data);
      const facturx = { xml: formatInvoiceXml('EN 16931', data), profile: 'EN 16931' };
      await assertConforms({ html, pdfa: '3b', ...members }, '3b');
      await assertConforms({ html, pdfa: '3b', tagged: true, outline: true, ...members }, '3b');
      await assertConforms({ html, facturx, ...members }, '3b', 'mustang');
    });

  void it('the e-invoice of the cookbook is one', async () => {
    const load = (type: string): string => readFileSync(join(COOKBOOK, `e-invoice.${type}`), 'utf8');
    const facturx = { xml: load('xml'), profile: 'EN 16931' };
    await assertConforms({ html: load('html'), facturx }, '3b', 'mustang');
  });

  void it('both lanes were judged', () => {
    assert.deepEqual([...lanes].toSorted(), ['static', 'warm']);
  });
});

void describe('the validators', { skip: judge === null }, () => {
  void it('find the faults of PDFs that are none', async () => {
    await using plain = await openEngine({ slots: 1 });
    const [data] = INVOICES;
    assert.ok(data);
    const { pdf } = await generate(plain, { html: '<p>x', author: 'x' });
    assert.match((await judge?.judge('3b', pdf))?.join() ?? '', /6\.6\.4-1|6\.6\.2\.1-1/);
    const xml = formatInvoiceXml('EN 16931', data).replace(/(<ram:GrandTotalAmount>)/, '$19');
    const wrong = await generate(plain, { html: '<p>x', facturx: { xml, profile: 'EN 16931' } });
    assert.deepEqual(await judge?.judge('3b', wrong.pdf), []);
    assert.match((await judge?.judge('mustang', wrong.pdf))?.join() ?? '', /BR-CO-15/);
  });
});
