/** Headers, footers and watermarks that are printed as sheets and laid on the pages of a PDF. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFName,
  PDFRawStream,
  type PDFDocument,
} from '@cantoo/pdf-lib';
import { createCanvas } from 'napi-canvas';
import { findFaults } from '../support/judge-pdf.ts';
import { generate } from '../support/open-engine.ts';
import { A4_PAGE, compose, LANDSCAPE_PAGE, load, printTestLayers } from '../support/print-parts.ts';
import { countDifferentPixels, paintPdf, readLinks, readPdf, type Picture } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

const TWO_PAGES = '<title>T & "x"</title><p>one<p style="break-before:page">two';
const TITLE = 'T & "x"';
const DPI = 60;

let engine: PdfEngine;

before(async () => {
  engine = await shareEngine();
});

async function print(members: Record<string, unknown>): Promise<Uint8Array> {
  return (await generate(engine, members)).pdf;
}

/** Returns the text of each page, without that of the document in lower case. */
async function readTexts(pdf: Uint8Array): Promise<string[]> {
  const { pages } = await readPdf(pdf);
  return pages.map(({ text }) =>
    text
      .replace(/[a-z]+/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

const HEADERS: Record<string, [header: string, footer: string]> = {
  'with page numbers and a title': ['{{page}} of {{pages}}, {{title}}', '<i>{{page}}</i>'],
  'with blocks and colors': [
    '<div style="display:flex;justify-content:space-between;background:#fd8"><b>Left</b><p>Right</div>',
    '<table width=100% border=1><tr><td>A<td>{{page}}</table>',
  ],
  'with styles that they share': [
    '<style>b{color:red;font-size:14pt}#header,#footer{padding-left:20px}</style><b>Head</b>',
    '<b>Foot</b>',
  ],
  'with drawings': [
    '<svg width=90 height=30><rect width=90 height=30 fill=teal /><text y=20>{{page}}</text></svg>',
    '<p style="border-left:9px solid">Corner',
  ],
  'with elements of the classes of Chromium': [
    '<b class="x pageNumber"><i>?</i></b>',
    '<b class=totalPages></b>',
  ],
};

for (const [name, [header, footer]] of Object.entries(HEADERS))
  void it(`headers and footers ${name} look like those of Chromium`, async () => {
    const expected = await print({ html: TWO_PAGES, header_html: header, footer_html: footer });
    const { layers } = await printTestLayers(
      engine,
      { header, footer },
      { title: TITLE, pages: [A4_PAGE, A4_PAGE] },
    );
    const composed = await compose([await print({ html: TWO_PAGES })], { layers });
    assert.equal(countMovedPixels(await paintPdf(expected, DPI), await paintPdf(composed, DPI)), 0);
    assert.equal(findFaults(composed), '');
  });

void describe('the first page', () => {
  const pages = [A4_PAGE, A4_PAGE];

  void it('has its own header and footer, with the numbers of the whole', async () => {
    const templates = {
      header: 'H{{page}}',
      footer: 'F{{page}}',
      firstHeader: 'X{{page}}',
      firstFooter: 'Y{{pages}}',
    };
    const { layers } = await printTestLayers(engine, templates, { pages });
    assert.deepEqual(await readTexts(await compose([await print({ html: TWO_PAGES })], { layers })), [
      'X1Y2',
      'H2F2',
    ]);
  });

  void it('has none of one that is empty, and that of the others of one that is missing', async () => {
    const document = await print({ html: TWO_PAGES });
    for (const [first, expected] of [
      [{ firstHeader: ' ' }, 'F'],
      [{ firstFooter: 'Y' }, 'HY'],
    ] as const) {
      const { layers } = await printTestLayers(engine, { header: 'H', footer: 'F', ...first }, { pages });
      assert.deepEqual(await readTexts(await compose([document], { layers })), [expected, 'HF']);
    }
  });

  void it('does not get the styles of the others', async () => {
    const templates = { header: '<style>#header{display:none}</style>H', firstHeader: 'X' };
    const { layers } = await printTestLayers(engine, templates, { pages });
    assert.deepEqual(await readTexts(await compose([await print({ html: TWO_PAGES })], { layers })), [
      'X',
      '',
    ]);
  });
});

void describe('sheets', () => {
  void it('are printed once for pages on which they are the same', async () => {
    const pages = [
      A4_PAGE,
      LANDSCAPE_PAGE,
      A4_PAGE,
      { ...A4_PAGE, margins: { ...A4_PAGE.margins, left: 99 } },
    ];
    const { layers } = await printTestLayers(engine, { header: '{{pages}}', watermark: 'W' }, { pages });
    assert.deepEqual(
      layers.map((layer) => [layer.kind, Object.fromEntries(layer.pages)]),
      [
        ['header', { 0: 0, 2: 0, 3: 1 }],
        ['header', { 1: 0 }],
        ['watermark', { 0: 0, 2: 0, 3: 0 }],
        ['watermark', { 1: 0 }],
      ],
    );
  });

  void it('have the size and the margins of their pages', async () => {
    const pages = [A4_PAGE, { ...LANDSCAPE_PAGE, margins: { ...A4_PAGE.margins, left: 96 } }];
    const { layers } = await printTestLayers(engine, { header: '{{page}}', footer: '{{pages}}' }, { pages });
    const prints = await Promise.all(layers.map(({ pdf }) => readPdf(pdf)));
    const places = prints.map(({ pages: [page] }) => [
      page?.width,
      page?.height,
      Math.round(page?.runs[0]?.x ?? 0),
    ]);
    assert.deepEqual(places, [
      [595.91998, 841.91998, 43],
      [841.91998, 595.91998, 72],
      [595.91998, 841.91998, 43],
      [841.91998, 595.91998, 72],
    ]);
  });

  void it('share an image of a numbered header', async () => {
    const image = drawNoise();
    const pages = Array.from({ length: 30 }, () => A4_PAGE);
    const { layers } = await printTestLayers(engine, { header: `{{page}}<img src="${image}">` }, { pages });
    const bytes = layers.reduce((sum, { pdf }) => sum + pdf.length, 0);
    assert.ok(bytes < 3 * image.length, `${bytes} bytes for an image of ${image.length}`);
  });

  void it('are split into documents that are not too long', async () => {
    const pages = Array.from({ length: 401 }, () => A4_PAGE);
    const { layers, prints } = await printTestLayers(engine, { header: '{{page}}' }, { pages });
    assert.equal(prints, 3);
    const last = await readTexts(layers[2]?.pdf ?? new Uint8Array());
    assert.deepEqual([layers[2]?.pages.get(400), last], [0, ['401']]);
  });
});

const BROKEN = [
  '<b><div>x {{page}}</b>',
  '<div><b>x {{page}}</div>',
  '<div/>{{page}}',
  '<table><tr><td>{{page}}',
  '<table><div>{{page}}</table>',
  '<svg><text y=20>{{page}}',
  '<a href=x><a href=y>{{page}}</a>',
  '<ul><li>{{page}}<li>b</ul>',
  '<style>body{break-after:page;margin:99px!important}*{float:left!important}</style>{{page}}',
  '<style>@page{size:A5;margin:3cm!important}</style>{{page}}',
  '<p style="break-before:page">{{page}}<p style="break-before:page">z',
  '<div style="height:3000px">{{page}}</div>',
];

for (const header of BROKEN)
  void it(`a template stays on its sheet: ${header}`, async () => {
    const pages = [A4_PAGE, A4_PAGE];
    const { layers, prints } = await printTestLayers(engine, { header }, { pages });
    assert.deepEqual([prints, layers.length], [1, 1]);
    const sheets = (await readPdf(layers[0]?.pdf ?? new Uint8Array())).pages;
    assert.deepEqual(
      sheets.map(({ text }) => /\d/.exec(text)?.[0]),
      ['1', '2'],
    );
    const [first, second] = sheets.map(({ runs }) => runs.map(({ x, y }) => [x, y]));
    assert.deepEqual(first, second, 'at the same place');
  });

void describe('a watermark', () => {
  const RED = '<div style="position:absolute;inset:0;background:red"></div>';
  const html = '<style>p{margin:0;height:100px;background:blue}</style><p>';

  void it('fills the sheet, behind or over the content', async () => {
    for (const [watermarkPosition, color] of [
      ['behind', 'blue'],
      ['over', 'red'],
    ] as const) {
      const { layers } = await printTestLayers(engine, { watermark: RED }, { watermarkPosition });
      const [picture] = await paintPdf(await compose([await print({ html })], { layers }), 72);
      const at = (x: number, y: number): string => {
        const [red, green, blue] = picture?.data.subarray((y * picture.width + x) * 4) ?? [];
        return red === 255 && green === 0 ? 'red' : blue === 255 && green === 0 ? 'blue' : 'other';
      };
      const height = (picture?.height ?? 0) - 2;
      assert.deepEqual([at(1, 1), at(593, height), at(100, 80)], ['red', 'red', color], watermarkPosition);
    }
  });

  void it('is transparent where it has nothing', async () => {
    const document = await print({ html });
    const { layers } = await printTestLayers(engine, { watermark: '<p>' }, { watermarkPosition: 'over' });
    const composed = await paintPdf(await compose([document], { layers }), 72);
    assert.equal(countDifferentPixels(composed, await paintPdf(document, 72)), 0);
  });

  void it('has the numbers of pages, if it asks for them', async () => {
    const { layers } = await printTestLayers(
      engine,
      { watermark: 'W{{page}}' },
      { pages: [A4_PAGE, A4_PAGE] },
    );
    assert.deepEqual(await readTexts(await compose([await print({ html: TWO_PAGES })], { layers })), [
      'W1',
      'W2',
    ]);
  });
});

void describe('layers', () => {
  void it('are marked as artifacts in a tagged PDF only, and its structure stays as it is', async () => {
    const templates = { header: 'H', footer: 'F', watermark: 'W' };
    for (const tagged of [true, false]) {
      const document = await print({ html: '<title>t</title><h1>one</h1>', tagged });
      const { layers } = await printTestLayers(engine, templates);
      const composed = await compose([document], { layers });
      const marks = listMarks(await load(composed));
      assert.deepEqual(marks, tagged ? ['Watermark', 'Header', 'Footer'] : []);
      assert.deepEqual((await readPdf(composed)).roles, (await readPdf(document)).roles);
      assert.equal(findFaults(composed), '');
    }
  });

  void it('keep the links of headers, at their places', async () => {
    const header = '<a href="https://example.com/h">link</a>';
    const expected = await print({ html: TWO_PAGES, header_html: header });
    const { layers } = await printTestLayers(engine, { header }, { pages: [A4_PAGE, A4_PAGE] });
    const composed = await compose([await print({ html: TWO_PAGES })], { layers });
    assert.deepEqual(
      (await readLinks(composed)).map(({ url }) => url),
      ['https://example.com/h'],
    );
    assert.deepEqual(await listRects(composed), await listRects(expected));
  });

  void it('begin at the upper left corner of pages with other boxes', async () => {
    const document = await load(await print({ html: TWO_PAGES }));
    const [first, second] = document.getPages();
    first?.node.set(PDFName.of('MediaBox'), document.context.obj([100, 50, 100 + 595.92, 50 + 841.92]));
    second?.node.set(PDFName.of('CropBox'), document.context.obj([10, 20, 500, 700]));
    const { layers } = await printTestLayers(engine, { header: 'H' }, { pages: [A4_PAGE, A4_PAGE] });
    const composed = await readPdf(await compose([await document.save()], { layers }));
    const places = composed.pages.map(({ runs }) => runs.find(({ text }) => text === 'H'));
    assert.deepEqual(
      places.map((run) => [Math.round(run?.x ?? 0), Math.round(run?.y ?? 0)]),
      [
        [143, 50 + 819],
        [53, 700 - 842 + 819],
      ],
    );
  });

  void it('leave no object behind that nothing refers to', async () => {
    const { layers } = await printTestLayers(engine, { header: 'H', watermark: 'W' });
    const composed = await load(await compose([await print({ html: TWO_PAGES })], { layers }));
    const types = composed.context
      .enumerateIndirectObjects()
      .map(([, object]) => (object instanceof PDFDict ? object.get(PDFName.of('Type'))?.toString() : ''));
    const count = (type: string): number => types.filter((one) => one === type).length;
    assert.deepEqual([count('/Page'), count('/Catalog'), count('/Pages')], [2, 1, 1]);
  });
});

/** Counts the colors that differ by more than the rounding of edges does, which a form changes. */
function countMovedPixels(expected: readonly Picture[], actual: readonly Picture[]): number {
  assert.equal(actual.length, expected.length);
  return expected.reduce((sum, { data }, page) => {
    const other = actual[page]?.data ?? [];
    return sum + data.filter((value, at) => Math.abs(value - (other[at] ?? 0)) > 64).length;
  }, 0);
}

/** Returns the subtypes of the artifacts of the first page, in their order. */
function listMarks(pdf: PDFDocument): string[] {
  const contents = pdf.getPages()[0]?.node.lookup(PDFName.of('Contents'));
  const streams = contents instanceof PDFArray ? contents.asArray() : [contents];
  const text = streams
    .map((stream) => pdf.context.lookup(stream))
    .map((stream) => (stream instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(stream).decode()) : ''))
    .join('');
  return [...text.matchAll(/\/Artifact <<\/Type \/Pagination \/Subtype \/(\w+)/g)].map(
    ([, kind = '']) => kind,
  );
}

/** Returns the rectangles of the links of each page. */
async function listRects(pdf: Uint8Array): Promise<string[]> {
  const document = await load(pdf);
  return document.getPages().map(({ node }) => {
    const rects = node
      .Annots()
      ?.asArray()
      .map((link) => document.context.lookup(link, PDFDict));
    return (
      rects
        ?.map((link) => link.lookup(PDFName.of('Rect'), PDFArray).asRectangle())
        .map(round)
        .join(' ') ?? ''
    );
  });
}

function round({ x, y, width, height }: { x: number; y: number; width: number; height: number }): string {
  return [x, y, width, height].map((side) => side.toFixed(1)).join(',');
}

/** Returns the URL of an image that does not compress. */
function drawNoise(): string {
  const canvas = createCanvas(150, 150);
  const context = canvas.getContext('2d');
  let state = 1;
  for (let at = 0; at < 150 * 150; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    context.fillStyle = `#${(state >> 7).toString(16).padStart(6, '0').slice(-6)}`;
    context.fillRect(at % 150, Math.floor(at / 150), 1, 1);
  }
  return canvas.toDataURL('image/png');
}
