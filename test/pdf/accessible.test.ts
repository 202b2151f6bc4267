/** The promises of `tagged`. `npm test -- pdfa` has veraPDF judge the same of many documents. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFRef, type PDFObject } from '@cantoo/pdf-lib';
import { ApiError } from '#errors';
import type { PdfEngine } from '#pdf';
import { MAX_WARNING_CHARACTERS } from '../../src/pdf/warnings/warnings.ts';
import { generate } from './support/open-engine.ts';
import { shareEngine } from './support/shared-engine.ts';
import { countDifferentPixels, paintPdf, readLinks, readPdf } from './support/read-pdf.ts';

const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC';
const PREFIX = 'Not declared as PDF/UA: ';
const NAMED = { tagged: true, lang: 'en', title: 'Title' };

let engine: PdfEngine;
before(async () => {
  engine = await shareEngine();
});

interface Verdict {
  isDeclared: boolean;
  warnings: string[];
  pdf: Uint8Array;
}

async function render(html: string, members: Record<string, unknown> = NAMED): Promise<Verdict> {
  const { pdf, warnings } = await generate(engine, { html, ...members });
  const { xmp } = await readPdf(pdf);
  return { isDeclared: xmp?.includes('<pdfuaid:part>1<') ?? false, warnings, pdf };
}

async function assertWithheld(
  warning: RegExp,
  html: string,
  members: Record<string, unknown> = NAMED,
): Promise<Verdict> {
  const verdict = await render(html, members);
  assert.equal(verdict.isDeclared, false, html);
  assert.equal(verdict.warnings.length, 1, verdict.warnings.join('\n'));
  const [text = ''] = verdict.warnings;
  assert.ok(text.startsWith(PREFIX) && text.length < MAX_WARNING_CHARACTERS && !text.endsWith('...'), text);
  assert.match(text.slice(PREFIX.length), warning);
  return verdict;
}

const load = (pdf: Uint8Array): Promise<PDFDocument> => PDFDocument.load(pdf, { updateMetadata: false });

/** Formats the structure without the elements that have no meaning: `Document(H1 P(Link))`. */
async function readStructure(pdf: Uint8Array): Promise<string> {
  const { catalog, context } = await load(pdf);
  const format = (value: PDFObject | undefined): string[] => {
    const dict = context.lookup(value);
    if (dict instanceof PDFArray) return dict.asArray().flatMap(format);
    if (!(dict instanceof PDFDict)) return [];
    const role = dict.get(PDFName.of('S'));
    const inner = format(dict.get(PDFName.of('K')));
    if (role === undefined || role === PDFName.of('NonStruct')) return inner;
    const name = role.toString().slice(1);
    return [inner.length > 0 ? `${name}(${inner.join(' ')})` : name];
  };
  return format(catalog.lookup(PDFName.of('StructTreeRoot'))).join(' ');
}

describe('a tagged PDF declares PDF/UA-1', () => {
  it('with a title, a language, named images and ordered headings, and then without a warning', async () => {
    const html = `<!doctype html><html lang=de><title>Bericht</title><h1>Eins</h1><h2>Zwei</h2><img alt="Punkt" src="${DOT}"><img alt="" src="${DOT}"><h1>Drei</h1>`;
    const { isDeclared, warnings } = await render(html, { tagged: true });
    assert.deepEqual([isDeclared, warnings], [true, []]);
  });

  it('not without a language: none is written, neither is one made up', async () => {
    const german = '<title>Bericht</title><h1>Bericht über das Jahr</h1><p>Deutscher Text';
    const { pdf } = await assertWithheld(/language is not known: send lang/, german, { tagged: true });
    assert.equal((await load(pdf)).catalog.has(PDFName.of('Lang')), false);
    for (const html of [`<html lang="no language!">${german}`, `<html lang="">${german}`])
      await assertWithheld(/language is not known/, html, { tagged: true });
    const declared = `<meta http-equiv=content-language content=de>${german}`;
    assert.equal((await render(declared, { tagged: true })).isDeclared, true);
  });

  it('not without a title: the name of the file is none', async () => {
    const members = { tagged: true, lang: 'en', filename: 'report.pdf' };
    await assertWithheld(/no title: send title/, '<title> </title><h1>A</h1>', members);
  });

  it('not if an image has no alternative text', async () => {
    await assertWithheld(
      /^3 of its images have no alternative text/,
      `<h1>A</h1>${`<img src="${DOT}">`.repeat(3)}`,
    );
    const figure =
      '<figure><svg width=9 height=9><rect width=9 height=9 /></svg><figcaption>c</figcaption></figure>';
    await assertWithheld(/^1 of its images has no /, `<h1>A</h1>${figure}`);
    await assertWithheld(/^1 of its images/, '<h1>A</h1><div role=img>x</div>');
    const named = figure.replace('<svg', '<svg role=img aria-label="A square"');
    assert.deepEqual((await render(`<h1>A</h1>${named}`)).warnings, []);
  });

  it('not if a level of headings is missing', async () => {
    await assertWithheld(/first heading is an h3: begin with an h1/, '<h3>A</h3>');
    await assertWithheld(/an h4 follows an h2/, '<h1>A</h1><h2>B</h2><h4>C</h4>');
    await assertWithheld(/level above 6/, '<h1>A</h1><div role=heading aria-level=7>B</div>');
  });

  it('not if a character is in no font', async () => {
    const { warnings, isDeclared } = await render('<h1>A</h1><p>x\u{E123}y');
    assert.equal(isDeclared, false);
    assert.equal(warnings.length, 2, 'the page and the structure');
    assert.match(warnings[1] ?? '', /1 of its characters are in no font/);
  });

  it('not if it has nothing to read', async () => {
    await assertWithheld(/neither text nor an image/, '<div style="background:red;height:9px"></div>');
  });

  it('which strict requires: the error says what is missing', async () => {
    await assert.rejects(generate(engine, { html: '<h3>A</h3>', ...NAMED, strict: true }), (error) => {
      assert.ok(error instanceof ApiError && error.code === 'render_failed');
      return error.message.includes('begin with an h1');
    });
  });

  it('and outline alone promises nothing: no warning, no declaration, no language', async () => {
    const { isDeclared, warnings, pdf } = await render('<h3>A</h3>', { outline: true });
    assert.deepEqual([isDeclared, warnings], [false, []]);
    assert.equal((await load(pdf)).catalog.has(PDFName.of('Lang')), false);
  });
});

describe('the structure of a tagged PDF', () => {
  it('has lists of items, which have a label and a body', async () => {
    const { pdf } = await render('<h1>A</h1><ul>stray<li>a<ul><li>b</ul></ul><li>c<li>d');
    assert.equal(
      await readStructure(pdf),
      'Document(H1 L(LI(LBody) LI(Lbl LBody(L(LI(Lbl LBody))))) L(LI(Lbl LBody) LI(Lbl LBody)))',
    );
  });

  it('has tables whose rows are equally long', async () => {
    const { pdf, isDeclared } = await render(
      '<h1>A</h1><table><tr><th>a<th>b<th>c<tr><td rowspan=9>1<tr><td>2<td>3</table>',
    );
    assert.equal(await readStructure(pdf), 'Document(H1 Table(TR(TH TH TH) TR(TD TD) TR(TD TD)))');
    assert.equal(isDeclared, true);
  });

  it('has an element for each link, also of a footer and of a hidden one', async () => {
    const html =
      '<h1 id=a>A</h1><p><a href="#a">up</a> <a aria-hidden=true href="https://a.example/">x</a> <a role=doc-noteref href="#a">1</a>';
    const { pdf, isDeclared } = await render(html, {
      ...NAMED,
      footer_html: '<a href="https://b.example/">f</a>',
    });
    assert.equal(isDeclared, true);
    assert.equal(await readStructure(pdf), 'Document(H1 P(Link Link) Link Link)');
    assert.deepEqual((await readLinks(pdf)).map(({ description }) => description).sort(), [
      'a',
      'a',
      'https://a.example/',
      'https://b.example/',
    ]);
  });

  it('has a section for a figure around a table, and no type that PDF 1.7 does not know', async () => {
    const { pdf } = await render(
      '<h1>A</h1><figure><table><tr><th>x<td>y</table><figcaption>c</figcaption></figure><p><strong>b</strong><em>i</em>',
    );
    assert.equal(await readStructure(pdf), 'Document(H1 Sect(Table(TR(TH TD)) Caption) P(Strong Em))');
    const root = (await load(pdf)).catalog.lookup(PDFName.of('StructTreeRoot'), PDFDict);
    assert.equal(
      root.lookup(PDFName.of('RoleMap'))?.toString().replace(/\s+/g, ' '),
      '<< /Strong /Span /Em /Span >>',
    );
  });

  it('marks the rest of its content, which looks as before', async () => {
    const html = `<style>@page{@top-center{content:"Top"}}body{background:#eef}</style><h1>A</h1><hr><div style="box-shadow:0 0 9px red;border:2px dotted;opacity:.5">x</div><ul><li>a</ul><svg width=40 height=40><rect width=30 height=30 fill=red /></svg>`;
    const { pdf, isDeclared } = await render(html);
    const plain = await generate(engine, { html, lang: 'en', title: 'Title' });
    assert.equal(isDeclared, true);
    assert.equal(countDifferentPixels(await paintPdf(plain.pdf, 50), await paintPdf(pdf, 50)), 0);
  });

  it('is the same for the same request with now', async () => {
    const html = '<h1>A</h1><table><tr><th>a<td>b</table>';
    const body = { ...NAMED, now: '2026-11-21T08:00:00Z' };
    const [first, second] = [await render(html, body), await render(html, body)];
    assert.deepEqual(Buffer.from(first.pdf), Buffer.from(second.pdf));
  });

  it('is packed: a tagged document has object streams, and its objects all have a place', async () => {
    const { pdf } = await render('<h1>A</h1><p>x');
    assert.match(Buffer.from(pdf).toString('latin1'), /\/Type \/ObjStm/);
    const { context } = await load(pdf);
    for (const [, object] of context.enumerateIndirectObjects())
      if (object instanceof PDFDict)
        for (const value of object.values())
          if (value instanceof PDFRef) assert.ok(context.lookup(value), `${value.toString()} exists`);
  });
});
