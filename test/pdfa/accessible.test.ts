/**
 * veraPDF's profile of PDF/UA-1 judges what `tagged` declares: every declaration must hold, and none may be
 * withheld from a document that conforms.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { PdfEngine } from '#pdf';
import { savePdf } from '../../src/pdf/finish/save-pdf.ts';
import { setXmp } from '../../src/pdf/finish/set-xmp.ts';
import { FEATURES } from '../pdf/documents/features.ts';
import { REALISTIC } from '../pdf/documents/realistic.ts';
import { generate, openEngine } from '../pdf/support/open-engine.ts';
import { readPdf } from '../pdf/support/read-pdf.ts';
import { STRUCTURES } from './documents/structures.ts';
import { findMissingProgram } from './judge/install-validators.ts';
import { Judge } from './judge/judge.ts';

const PREFIX = 'Not declared as PDF/UA: ';
const NAMED = { tagged: true, lang: 'en', title: 'Title' };
const TEMPLATES = {
  header_html: '<b>{{page}}</b> of {{pages}} <a href="https://a.example/">header</a>',
  footer_html: '<img alt="logo" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">footer',
};

/** Requests by name: all documents, and a third of them with a header and a footer. */
const PLAIN: readonly (readonly [name: string, body: Record<string, unknown>])[] = Object.entries({
  ...FEATURES,
  ...REALISTIC,
  ...STRUCTURES,
}).flatMap(([name, html], index) => [
  [name, { html, ...NAMED }],
  ...(index % 3 === 0 ? [[`${name}, with a header`, { html, ...NAMED, ...TEMPLATES }] as const] : []),
]);

/** Declares what the service withheld: without the declaration, every PDF is at fault. */
async function declare(bytes: Uint8Array): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  setXmp(pdf, { pdfua: true, pdfa: null, invoice: null });
  return savePdf(pdf, null);
}

const TABLE =
  '<h1>B</h1><ul><li>a<ul><li>b</ul></ul><table><tr><th>x<td>y</table><a href="#q">z</a><p id=q>q';
/** Requests for PDFs that are composed of several prints, or conform to another standard too. */
const COMPOSED: Readonly<Record<string, Record<string, unknown>>> = {
  'three documents': { more_documents: [{ html: TABLE }, { html: TABLE, orientation: 'landscape' }] },
  'another first header': { ...TEMPLATES, first_header_html: 'First <a href="https://b.example/">l</a>' },
  'a watermark': { watermark_html: '<div style="font-size:90px;opacity:.2">DRAFT</div>' },
  'a watermark over two documents': {
    ...TEMPLATES,
    watermark_html: '<svg width=90 height=90><rect width=50 height=50 fill="#fcc"/></svg>',
    watermark_position: 'over',
    more_documents: [{ html: TABLE }],
  },
  'PDF/A': { pdfa: '3b', author: 'A', keywords: 'k' },
  attachments: { attachments: [{ name: 'a.txt', base64: 'eA==', media_type: 'text/plain' }] },
  outline: { outline: true },
};

const REQUESTS = [
  ...PLAIN,
  ...Object.entries(COMPOSED).map(([name, body]) => [name, { html: TABLE, ...NAMED, ...body }] as const),
];

const missing = findMissingProgram();
if (missing !== null) console.log(`PDF/UA is not judged: the machine has ${missing}`);

describe('veraPDF about tagged PDFs', { skip: missing !== null }, () => {
  let engine: PdfEngine;
  let judge: Judge;
  before(async () => {
    engine = await openEngine();
    judge = new Judge();
  });
  after(async () => {
    judge.close();
    await engine.close();
  });

  it('agrees with each declaration of PDF/UA-1, and with each one that is withheld', async () => {
    const wrong: string[] = [];
    let declared = 0;
    for (const [name, body] of REQUESTS) {
      const { pdf, warnings } = await generate(engine, body);
      const isDeclared = (await readPdf(pdf)).xmp?.includes('<pdfuaid:part>1<') ?? false;
      assert.equal(isDeclared, !warnings.some((text) => text.startsWith(PREFIX)), name);
      const faults = await judge.judge('ua1', isDeclared ? pdf : await declare(pdf));
      if (isDeclared !== (faults.length === 0)) wrong.push(`${name}: ${faults.join('; ') || 'conforms'}`);
      declared += Number(isDeclared);
    }
    console.log(`PDF/UA-1: ${declared} of ${REQUESTS.length} declared, ${wrong.length} wrongly`);
    assert.deepEqual(wrong, []);
    assert.ok(declared > 150);
  });
});
