import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import { formatInvoiceXml } from '../pdfa/documents/invoice-xml.ts';
import { formatInvoicePage, INVOICES } from '../pdfa/documents/invoices.ts';
import { findFaults } from './support/judge-pdf.ts';
import { generate } from './support/open-engine.ts';
import { shareEngine } from './support/shared-engine.ts';
import { readPdf } from './support/read-pdf.ts';

const NOW = '2026-11-02T10:00:00Z';
let engine: PdfEngine;

before(async () => {
  engine = await shareEngine();
});

async function archive(html: string, members: Record<string, unknown> = {}): Promise<Uint8Array> {
  return (await generate(engine, { html, pdfa: '3b', ...members })).pdf;
}

async function load(pdf: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(pdf, { updateMetadata: false });
}

/** Returns the names of the long ids of the document's destinations. */
function listDestinations(document: PDFDocument): string[] {
  const destinations = document.catalog.lookup(PDFName.of('Dests'));
  return destinations instanceof PDFDict ? destinations.keys().map((key) => key.asString()) : [];
}

const rejectsWith = (message: RegExp) => (error: unknown) => {
  const { code, message: sentence } = error as { code: string; message: string };
  assert.equal(code, 'render_failed');
  assert.match(sentence, message);
  return true;
};

void describe('an archive (PDF/A-3b)', () => {
  void it('has an output intent, XMP that says what Info says, and a file identifier', async () => {
    const pdf = await archive('<title>A & B <i></title><p lang=de>x', {
      author: 'Zoë Ωmega',
      subject: '<x>',
      keywords: ['a', 'b & c'],
      lang: 'de-AT',
      now: NOW,
    });
    assert.equal(Buffer.from(pdf.subarray(0, 8)).toString(), '%PDF-1.7');
    const { xmp, title } = await readPdf(pdf);
    assert.equal(title, 'A & B <i>');
    for (const part of [
      '<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>',
      '<rdf:li xml:lang="x-default">A &amp; B &lt;i&gt;</rdf:li>',
      '<dc:creator><rdf:Seq><rdf:li>Zoë Ωmega</rdf:li>',
      '<rdf:li xml:lang="x-default">&lt;x&gt;</rdf:li>',
      '<pdf:Keywords>a, b &amp; c</pdf:Keywords>',
      '<rdf:li>de-AT</rdf:li>',
      '<xmp:CreateDate>2026-11-02T10:00:00+00:00</xmp:CreateDate>',
      '<xmp:ModifyDate>2026-11-02T10:00:00+00:00</xmp:ModifyDate>',
    ])
      assert.ok(xmp?.includes(part), `${part} in ${xmp}`);
    assert.doesNotMatch(xmp ?? '', /pdfaExtension|pdfuaid|fx:/);
    const document = await load(pdf);
    assert.match(String(document.context.trailerInfo.ID), /^\[ <[0-9a-f]{32}> <[0-9a-f]{32}> \]$/i);
    const intents = document.catalog.lookup(PDFName.of('OutputIntents'), PDFArray);
    assert.equal(intents.size(), 1);
    const intent = intents.lookup(0, PDFDict);
    assert.equal(String(intent.get(PDFName.of('S'))), '/GTS_PDFA1');
    assert.ok(intent.lookup(PDFName.of('DestOutputProfile')) instanceof PDFRawStream);
    assert.equal(findFaults(pdf), '');
  });

  void it('has the same bytes for the same request with `now`, and others for other content', async () => {
    const html = '<a href="https://example.com">x</a>';
    const [one, same, other] = [
      await archive(html, { now: NOW }),
      await archive(html, { now: NOW }),
      await archive(`${html}y`, { now: NOW }),
    ];
    assert.deepEqual(one, same);
    const ids = await Promise.all(
      [one, other].map(async (pdf) => String((await load(pdf)).context.trailerInfo.ID)),
    );
    assert.notEqual(ids[0], ids[1]);
  });

  void it('prints its links, and they still go where they went', async () => {
    const id = 'é漢'.repeat(60);
    const pdf = await archive(
      `<a href="#${id}">to</a> <a href="#AA">aa</a> <a href="#Annots">b</a> <a href="https://example.com">out</a><h2 id="${id}">x</h2><p id=AA>y<p id=Annots>z`,
    );
    const document = await load(pdf);
    const links = document
      .getPage(0)
      .node.Annots()
      ?.asArray()
      .map((annotation) => document.context.lookup(annotation, PDFDict));
    assert.equal(links?.length, 4);
    for (const link of links ?? []) assert.equal(String(link.get(PDFName.of('F'))), '4');
    const names = listDestinations(document);
    assert.equal(names.length, 3, names.join());
    assert.ok(names.every((name) => name.length <= 128));
    assert.ok(names.includes('/AA') && names.includes('/Annots'), 'other ids stay');
    const target = String(links?.[0]?.get(PDFName.of('Dest')));
    assert.ok(names.includes(target), `${target} is one of ${names.join()}`);
  });

  void it('cuts a title that is longer than PDF/A allows, and warns', async () => {
    const { pdf, warnings } = await generate(engine, {
      html: `<title>${'äb '.repeat(20_000)}</title><h1>x</h1>`,
      pdfa: '3b',
    });
    assert.match(warnings.join(), /^PDF\/A allows texts of 32767 bytes: .* was cut$/);
    assert.equal((await readPdf(pdf)).title.length, 16_000);
  });

  void it('is refused if a character has no glyph, by its number and its page', async () => {
    await assert.rejects(
      archive('<p>fine<p style="break-before:page">abc \u{378} \u{12000} \u{16A0} \u{A9C1}'),
      rejectsWith(/on page 2, such as U\+12000, U\+16A0, U\+A9C1: remove these characters/),
    );
    await assert.rejects(
      archive('<p>\u{10FFFD}'),
      rejectsWith(/on page 1, often control characters: remove these characters/),
    );
    await assert.rejects(
      archive('<div style="opacity:.5">\u{16A0} \u{16A0}</div>'),
      rejectsWith(/the fonts have none for some/),
    );
    await assert.rejects(archive('<p>a\u0092b'), rejectsWith(/often control characters/));
    await archive('<p>ASCII 0000 &lt;0000&gt; Tj, \u00AD\u200B\u200D\uFEFF\u2028\u00A0 [0000]');
  });

  void it('is refused if the address of a link is longer than PDF/A allows', async () => {
    await assert.rejects(
      archive(`<a href="https://example.com/${'x'.repeat(40_000)}">x</a>`),
      rejectsWith(/^The address of a link is longer than 32767 bytes/),
    );
  });
});

void describe('an e-invoice', () => {
  const [data] = INVOICES;
  assert.ok(data);

  for (const [profile, name, relationship] of [
    ['MINIMUM', 'factur-x.xml', 'Data'],
    ['EN 16931', 'factur-x.xml', 'Alternative'],
    ['XRECHNUNG', 'xrechnung.xml', 'Alternative'],
  ] as const) {
    void it(`of the profile ${profile} has its XML as ${name} (${relationship}), and says so in its XMP`, async () => {
      const xml = formatInvoiceXml(profile, data);
      const { pdf } = await generate(engine, { html: formatInvoicePage(data), facturx: { xml, profile } });
      const document = await load(pdf);
      const [attachment] = document.getAttachments();
      assert.equal(attachment?.name, name);
      assert.equal(attachment.mimeType, 'text/xml');
      assert.equal(attachment.afRelationship, relationship);
      assert.equal(Buffer.from(attachment.data).toString(), xml);
      const { xmp } = await readPdf(pdf);
      const version = profile === 'XRECHNUNG' ? '3.0' : '1.0';
      for (const part of [
        '<pdfaid:part>3</pdfaid:part>',
        `<fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>${name}</fx:DocumentFileName><fx:Version>${version}</fx:Version><fx:ConformanceLevel>${profile}</fx:ConformanceLevel>`,
        '<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>',
      ])
        assert.ok(xmp?.includes(part), `${part} in ${xmp}`);
    });
  }
});
