import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { before, beforeEach, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { isFullRun, sample } from '../../support/sample.ts';
import { invoice } from '../documents/invoice.ts';
import { report } from '../documents/report.ts';
import { SCRIPTS, scriptsPage } from '../documents/scripts.ts';
import { generate, NOT_SERVED } from '../support/open-engine.ts';
import {
  countDifferentPixels,
  paintPdf,
  readLinks,
  readPdf,
  readPdfAndFonts,
  type ReadPdf,
} from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

const MM = 72 / 25.4;
let engine: PdfEngine;

/** The URLs of the resources that the documents of a test requested. */
let requested: string[] = [];

before(async () => {
  engine = await shareEngine(() => (request) => (requested.push(request.url), Promise.resolve(NOT_SERVED)));
});
beforeEach(() => {
  requested = [];
});

async function render(body: Record<string, unknown>): Promise<ReadPdf> {
  return readPdf((await generate(engine, body)).pdf);
}

function assertNear(actual: number | undefined, expected: number, tolerance: number, what: string): void {
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) <= tolerance,
    `${what}: ${actual} is not ${expected} ± ${tolerance}`,
  );
}

/** The distances of a box from the edges of its sheet, in points. */
interface Box {
  top: number;
  left: number;
  right: number;
  bottom: number;
}

/** Measures the box of the red pixels on the first page; `dpi` is the precision. */
async function measureRed(body: Record<string, unknown>, dpi = 288): Promise<Box> {
  return measureRedOf((await generate(engine, body)).pdf, dpi);
}

async function measureRedOf(pdf: Uint8Array, dpi = 288): Promise<Box> {
  const [picture] = await paintPdf(pdf, dpi, 1);
  assert.ok(picture);
  const { width, height, data } = picture;
  let [left, right, top, bottom] = [width, 0, height, 0];
  const isRed = (x: number, y: number): boolean => {
    const at = (y * width + x) * 4;
    return (data[at] ?? 0) >= 200 && (data[at + 1] ?? 255) <= 60;
  };
  for (let y = 0; y < height; y += 1) {
    let [first, last] = [0, width];
    while (first < width && !isRed(first, y)) first += 1;
    if (first === width) continue;
    while (!isRed(last - 1, y)) last -= 1;
    left = Math.min(left, first);
    right = Math.max(right, last);
    top = Math.min(top, y);
    bottom = y + 1;
  }
  const points = 72 / dpi;
  return {
    left: left * points,
    top: top * points,
    right: (width - right) * points,
    bottom: (height - bottom) * points,
  };
}

/** Fills the whole content area of one page. */
const RED_PAGE =
  '<!doctype html><style>html,body{margin:0;height:100%}div{background:red;height:100%}</style><div></div>';

void describe('the sheet', () => {
  const sizes = {
    A4: [210, 297],
    Letter: [215.9, 279.4],
    Legal: [215.9, 355.6],
    A3: [297, 420],
    A5: [148, 210],
  } as const;
  // Two of them unless TEST_FULL=1.
  for (const [size, [width, height]] of sample(Object.entries(sizes), 3)) {
    for (const orientation of ['portrait', 'landscape']) {
      void it(`${size} ${orientation} has the size of its standard`, async () => {
        const { pages } = await render({ html: '<p>x', page_size: size, orientation });
        const [first, second] = orientation === 'portrait' ? [width, height] : [height, width];
        // Chromium rounds a sheet to its device pixels.
        assertNear(pages[0]?.width, first * MM, 0.75, 'width');
        assertNear(pages[0]?.height, second * MM, 0.75, 'height');
      });
    }
  }

  void it('is by default A4 portrait with margins of 20 mm above and below and 15 mm at the sides', async () => {
    const red = await measureRed({ html: RED_PAGE });
    assertNear(red.top, 20 * MM, 0.5, 'top');
    assertNear(red.bottom, 20 * MM, 0.5, 'bottom');
    assertNear(red.left, 15 * MM, 0.5, 'left');
    assertNear(red.right, 15 * MM, 0.75, 'right');
  });

  void it('has the margins of the request, in every unit, to half a point', async () => {
    const red = await measureRed({
      html: RED_PAGE,
      page_size: 'Letter',
      margin_top: '1.5in',
      margin_bottom: '2cm',
      margin_left: '7pc',
      margin_right: '101.6Q',
    });
    assertNear(red.top, 108, 0.5, 'top');
    assertNear(red.bottom, 20 * MM, 0.5, 'bottom');
    assertNear(red.left, 84, 0.5, 'left');
    assertNear(red.right, 25.4 * MM, 0.5, 'right');
  });

  void it('has no margins if the request gives 0', async () => {
    const red = await measureRed({
      html: RED_PAGE,
      margin_top: '0',
      margin_bottom: '0px',
      margin_left: '0',
      margin_right: '0mm',
    });
    for (const [side, value] of Object.entries(red)) assertNear(value, 0, 0.75, side);
  });

  const OTHER_SHEET = 'size:A5 landscape!important;margin:70mm 1mm!important';
  const rivals: Record<string, { style?: string; css?: string }> = {
    '': { style: '@page,@page :first{size:A5 landscape;margin:70mm 1mm}' },
    ' that is !important': { style: `@page,@page :first{${OTHER_SHEET}}` },
    ' that is !important for the first page': { style: `@page :first{${OTHER_SHEET}}` },
    ' that is !important for a named page': { style: `@page other{${OTHER_SHEET}}body{page:other}` },
    ' that is !important in a layer': { style: `@layer base{@page{${OTHER_SHEET}}}` },
    ' that is !important in css': { css: `@page{${OTHER_SHEET}}` },
  };
  for (const [name, { style = '', css }] of Object.entries(rivals)) {
    void it(`has the values of the request against an @page rule${name}`, async () => {
      const body = {
        html: RED_PAGE.replace('<style>', `<style>${style}`),
        css,
        page_size: 'A4',
        margin_top: '10mm',
        margin_bottom: '10mm',
        margin_left: '30mm',
        margin_right: '30mm',
      };
      const { pdf } = await generate(engine, body);
      assertNear((await readPdf(pdf)).pages[0]?.width, 210 * MM, 0.75, 'width');
      const red = await measureRedOf(pdf);
      assertNear(red.top, 10 * MM, 0.5, 'top');
      assertNear(red.left, 30 * MM, 0.5, 'left');
    });
  }

  void it('follows the @page rule of the document for values that the request leaves out', async () => {
    const html = RED_PAGE.replace(
      '<style>',
      '<style>@page{size:A5 landscape;margin:30mm 5mm}</style><style>',
    );
    const { pages } = await render({ html });
    assertNear(pages[0]?.width, 210 * MM, 0.75, 'width');
    assertNear(pages[0]?.height, 148 * MM, 0.75, 'height');
    const red = await measureRed({ html, margin_left: '40mm' });
    assertNear(red.top, 30 * MM, 0.5, 'top, from the document');
    assertNear(red.left, 40 * MM, 0.5, 'left, from the request');
    assertNear(red.right, 5 * MM, 0.75, 'right, from the document');
  });

  void it('follows an @page rule in a layer, which is the weakest a document can have', async () => {
    const style = '<style>@layer base{@page{margin:30mm 40mm}}</style>';
    const red = await measureRed({ html: RED_PAGE.replace('<style>', `${style}<style>`) });
    assertNear(red.top, 30 * MM, 0.5, 'top');
    assertNear(red.left, 40 * MM, 0.5, 'left');
  });

  void it('is A4 if the request gives only the orientation, for any @page rule', async () => {
    const { pages } = await render({ html: '<style>@page{size:A3}</style>x', orientation: 'landscape' });
    assertNear(pages[0]?.width, 297 * MM, 0.75, 'width');
  });

  void it('applies to named pages too', async () => {
    const html =
      '<style>@page wide{size:A3 landscape}section{page:wide}</style><p>one</p><section>two</section>';
    const sheets = (await render({ html, page_size: 'A5' })).pages.map(({ width }) => Math.round(width));
    assert.deepEqual(sheets, [420, 420]);
    const free = (await render({ html })).pages.map(({ width }) => Math.round(width));
    assert.deepEqual(free, [596, 1191]);
  });

  void it('has the page breaks of the document, and their number is returned', async () => {
    const { pages } = await generate(engine, {
      html: '<p style="break-after:page">1<p style="break-after:page">2<p>3',
    });
    assert.equal(pages, 3);
  });

  void it('422: an @page rule of the document leaves no room', async () => {
    await assert.rejects(generate(engine, { html: '<style>@page{size:20in 300in}</style><p>x' }), {
      code: 'render_failed',
    });
  });
});

void describe('header and footer', () => {
  void it('count the pages, in sans-serif 9 pt, beginning at the side margins', async () => {
    const { pages } = await render({
      html: '<p style="break-after:page">one<p>two',
      header_html: '<b>Contract</b> {{ page }}',
      footer_html: 'Page {{page}} of {{pages}}',
      margin_left: '25mm',
    });
    const footer = pages[1]?.runs.find(({ text }) => text.startsWith('Page'));
    assert.match(pages[0]?.text ?? '', /Contract 1/);
    assert.match(pages[0]?.text ?? '', /Page 1 of 2/);
    assert.match(pages[1]?.text ?? '', /Contract 2/);
    assert.match(pages[1]?.text ?? '', /Page 2 of 2/);
    assertNear(footer?.x, 25 * MM, 0.75, 'x');
    assertNear(footer?.height, 9, 0.1, 'size');
    assert.ok((footer?.y ?? 100) < 20 * MM, 'in the bottom margin');
  });

  void it('print their colors and backgrounds', async () => {
    const red = await measureRed({
      html: '<p>x',
      header_html: '<div style="background:red;height:5mm;width:50mm"></div>',
    });
    assertNear(red.left, 15 * MM, 0.75, 'left');
    assert.ok(red.top < 20 * MM);
  });

  void it('do not include the browser’s date and URL if only one of them is given', async () => {
    const { pages } = await render({ html: '<title>T</title><p>x', footer_html: 'F' });
    assert.equal(pages[0]?.text.replace(/\s+/g, ' ').trim(), 'x F');
  });

  void it('replace placeholders in text, and drop them elsewhere', async () => {
    const { pages } = await render({
      html: '<p>x',
      footer_html:
        '<style>i{content:"{{page}}"}</style><!-- {{page}} --><i title="{{pages}}">[<a href="#{{page}}">{{page}}</a>/{{pages}}]</i>',
    });
    assert.match(pages[0]?.text ?? '', /\[1\/1\]/);
  });

  void it('show data: images and run no script', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="red"/></svg>',
    ).toString('base64');
    const { pdf } = await generate(engine, {
      html: '<p>x',
      header_html: `<img src="data:image/svg+xml;base64,${svg}"><script>document.body.append('ran')</script><img src=x onerror="document.body.append('ran')">H`,
    });
    assert.doesNotMatch((await readPdf(pdf)).pages[0]?.text ?? '', /ran/);
    assert.deepEqual(requested, []);
    const [picture] = await paintPdf(pdf, 72, 1);
    assert.ok(
      picture?.data.some((value, at) => at % 4 === 0 && value > 200 && (picture.data[at + 1] ?? 255) < 60),
      'the image is there',
    );
  });

  void it('survive a template that closes elements around it', async () => {
    const { pages } = await render({
      html: '<p>body',
      header_html: '</div></div></body></html><p>H{{page}}',
      footer_html: '</div>F{{pages}}',
    });
    assert.match(pages[0]?.text ?? '', /body/);
    assert.match(pages[0]?.text ?? '', /H1/);
    assert.match(pages[0]?.text ?? '', /F1/);
  });
});

void describe('the document', () => {
  void it('gives the PDF its title, or none', async () => {
    assert.equal((await render({ html: '<title>Übersicht „A“ 漢字</title>x' })).title, 'Übersicht „A“ 漢字');
    assert.equal((await render({ html: '<p>x' })).title, '');
    assert.equal((await render({ html: '<script>document.title="late"</script>x' })).title, 'late');
  });

  void it('is Unicode for any declared charset; a byte order mark does not print', async () => {
    const html =
      '\uFEFF<?xml version="1.0" encoding="iso-8859-1"?><!doctype html><meta charset="windows-1252"><p>Größe ✓ 漢 \uD800 <script>document.write(document.compatMode)</script>';
    const { pages } = await render({ html });
    assert.match(pages[0]?.text ?? '', /^Größe ✓ 漢 . CSS1Compat/u);
  });

  void it('gets css after its own styles, for any form of head', async () => {
    const heads = [
      '<!doctype html><html><head><title>t</title><style>p{color:blue}</style></head><body><p>xx</p>',
      '<!doctype html><style>p{color:blue}</style><p>xx</p>',
      '<html><body><style>p{color:blue}</style><p>xx</p>',
      '<p>xx</p>',
      '<head><script>"</head><body>"</script><!-- </head> --><style>p{color:blue}</style><noscript><link></noscript><p>xx</p>',
      '<!-- c --><!doctype html>\n<!-- d --><html lang=en><head><template><p></template><title></head></title></head ><p>xx</p>',
    ];
    for (const html of heads) {
      const red = await measureRed(
        { html, css: 'p{color:red !important;font:bold 80pt Arial;margin:0}' },
        72,
      );
      assert.ok(red.top < 300, html);
    }
  });

  void it('cannot be left by css', async () => {
    const { pages } = await render({ html: '<p>body', css: 'p::after{content:"</style><p>escaped"}' });
    assert.match(pages[0]?.text ?? '', /^body<\/style><p>escaped/);
  });

  void it('is in quirks mode without a doctype, and in standards mode with one', async () => {
    const html = '<table style="font-size:40pt"><tr><td>x</table><p style="width:100" id=q>';
    const [quirks, standards] = [await render({ html }), await render({ html: `<!doctype html>${html}` })];
    assert.equal(quirks.pages.length, standards.pages.length);
    const mode = await render({
      html: '<p><script>document.write(document.compatMode)</script>',
      css: 'p{color:red}',
    });
    assert.match(mode.pages[0]?.text ?? '', /BackCompat/);
  });

  void it('prints backgrounds by default', async () => {
    assert.ok((await measureRed({ html: RED_PAGE }, 72)).top < 100);
    assert.ok((await measureRed({ html: RED_PAGE, print_background: false }, 72)).top > 800, 'nothing red');
  });

  void it('is scaled, cut to page_ranges, and shown with the styles of the screen on request', async () => {
    const html =
      '<style>@media screen{p{break-after:auto!important}}</style><p style="break-after:page">one<p style="break-after:page">two<p>three';
    const ranged = await render({ html, page_ranges: '2-3' });
    assert.deepEqual(
      ranged.pages.map(({ text }) => text.trim()),
      ['two', 'three'],
    );
    assert.equal((await render({ html, media: 'screen' })).pages.length, 1);
    const [normal, doubled] = [await render({ html: '<p>x' }), await render({ html: '<p>x', scale: 2 })];
    assertNear(doubled.pages[0]?.runs[0]?.height, (normal.pages[0]?.runs[0]?.height ?? 0) * 2, 0.5, 'height');
  });

  void it('400: page_ranges beyond its end; the error has the number of its pages, in both lanes', async () => {
    const html = '<p style="break-after:page">one<p style="break-after:page">two<p>three';
    for (const [body, pages] of [
      [{ html, page_ranges: '9' }, '3 pages'],
      [{ html: `${html}<script>document.body.append("four")</script>`, page_ranges: '4-' }, '3 pages'],
      [{ html: '<p>x', page_ranges: '2', header_html: 'h' }, 'one page'],
    ] as const)
      await assert.rejects(generate(engine, body), {
        code: 'invalid_parameter',
        param: 'page_ranges',
        message: `page_ranges asks for pages that the document does not have: it has ${pages}.`,
      });
    assert.equal((await generate(engine, { html, page_ranges: '2-9' })).pages, 2);
  });

  void it('runs scripts by default, and waits for a selector or a time', async () => {
    const drawingAfter = (ms: number): string =>
      `<p id=p>first</p><script>setTimeout(() => { p.textContent = "late"; p.className = "done" }, ${ms})</script>`;
    assert.match((await render({ html: drawingAfter(9_000) })).pages[0]?.text ?? '', /late/);
    const late = drawingAfter(18_000);
    assert.match((await render({ html: late })).pages[0]?.text ?? '', /first/);
    assert.match((await render({ html: late, wait_for: '.done' })).pages[0]?.text ?? '', /late/);
    assert.match((await render({ html: late, wait_for: 9_000 })).pages[0]?.text ?? '', /late/);
    const scripted = '<p>body<noscript> without</noscript><script>document.write(" with")</script>';
    assert.match((await render({ html: scripted })).pages[0]?.text ?? '', /body with/);
    assert.match((await render({ html: scripted, javascript: false })).pages[0]?.text ?? '', /body without/);
    await assert.rejects(generate(engine, { html: late, wait_for: '::nope[' }), {
      code: 'invalid_parameter',
      param: 'wait_for',
    });
  });

  void it('resolves its relative links against base_url, unless it has a base of its own', async () => {
    await generate(engine, { html: '<img src="a.png">', base_url: 'https://example.com/x/y?a=1&b="' });
    await generate(engine, {
      html: '<base href="https://example.org/z/"><img src="a.png">',
      base_url: 'https://example.com/x/',
    });
    assert.deepEqual([...new Set(requested)], ['https://example.com/x/a.png', 'https://example.org/z/a.png']);
  });
});

void describe('accessibility', () => {
  const html =
    '<!doctype html><html lang=da><title>Årsrapport & mere</title><h1>Én</h1><p>Tekst <a href="https://example.com/?a=(1)">link</a><h2>To</h2><table><tr><th>h<tr><td>c</table><ul><li>x</ul><img alt="Prik" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">';

  void it('is left out by default, as it costs time and size', async () => {
    const read = await render({ html });
    assert.deepEqual([read.isTagged, read.outline, read.xmp], [false, [], null]);
  });

  void it('tagged: has the structure, language, title and declaration that PDF/UA-1 asks for', async () => {
    const { pdf, pages } = await generate(engine, { html, tagged: true });
    const read = await readPdf(pdf);
    assert.equal(pages, 1);
    assert.equal(read.pages.length, 1);
    assert.match(read.pages[0]?.text ?? '', /Tekst link/);
    assert.equal(read.isTagged, true);
    assert.equal(read.language, 'da');
    assert.equal(read.title, 'Årsrapport & mere');
    for (const role of ['Document', 'H1', 'P', 'Link', 'H2', 'Table', 'TR', 'TH', 'TD', 'L', 'LI'])
      assert.ok(read.roles.includes(role), `${role} in ${read.roles.join()}`);
    assert.match(read.xmp ?? '', /<pdfuaid:part>1</);
    assert.match(read.xmp ?? '', /<rdf:li xml:lang="x-default">Årsrapport &amp; mere</);
    assert.match(Buffer.from(pdf).toString('latin1', 0, 9), /^%PDF-1\.7/);
  });

  void it('tagged: a link is described by its URL, whatever that contains', async () => {
    const url = "https://a.example/$'?x=$&$$y";
    const { pdf } = await generate(engine, { html: `<a href="${url}">x</a>`, tagged: true });
    assert.deepEqual(await readLinks(pdf), [{ url, description: url }]);
  });

  void it('tagged without any text of its own: declares no structure, as there is none', async () => {
    const read = await render({ html: '<iframe srcdoc="<h1>framed</h1>"></iframe>', tagged: true });
    assert.deepEqual([read.isTagged, read.xmp], [false, null]);
  });

  void it('outline: the headings are bookmarks', async () => {
    assert.deepEqual((await render({ html, outline: true })).outline, ['Én', '  To']);
  });

  void it('tagged: prints the same, in less than twice the bytes', async () => {
    const plain = await generate(engine, { html: report(1) });
    const tagged = await generate(engine, { html: report(1), tagged: true, outline: true });
    assert.ok(tagged.pdf.length < 2 * plain.pdf.length, `${tagged.pdf.length} and ${plain.pdf.length}`);
    assert.equal(countDifferentPixels(await paintPdf(plain.pdf, 50), await paintPdf(tagged.pdf, 50)), 0);
  });
});

void describe('looks', () => {
  /** Saves pictures of the first pages, to be looked at. Only a full run does: painting takes seconds. */
  const savePictures = async (name: string, pdf: Uint8Array, dpi: number, maxPages: number) => {
    if (!isFullRun) return;
    mkdirSync('artifacts/pdf', { recursive: true });
    for (const [index, picture] of (await paintPdf(pdf, dpi, maxPages)).entries())
      writeFileSync(`artifacts/pdf/${name}-${index + 1}.png`, picture.png());
  };

  void it('an invoice is one page, selectable, with its fonts embedded', async () => {
    const { pdf, pages } = await generate(engine, {
      html: invoice(),
      footer_html: '<div style="text-align:center;color:#8a94a0">Page {{page}} of {{pages}}</div>',
    });
    const read = await readPdfAndFonts(pdf);
    assert.equal(pages, 1);
    assert.match(read.pages[0]?.text ?? '', /Müller & Søn A\/S/);
    assert.equal(read.title, 'Invoice INV-2026-0042');
    const { fonts } = read;
    assert.ok(fonts.length > 0 && fonts.every((name) => /^[A-Z]{6}\+/.test(name)), fonts.join());
    await savePictures('invoice', pdf, 100, 1);
  });

  void it('a report has its charts, its tables and its running header', async () => {
    const { pdf, pages } = await generate(engine, {
      html: report(3),
      header_html:
        '<div style="display:flex;justify-content:space-between"><b>Annual report</b><span>{{page}}</span></div>',
    });
    assert.ok(pages > 6);
    await savePictures('report', pdf, 80, 4);
  });

  void it('22 scripts and emoji are printed with a glyph for every character', async () => {
    const { pdf } = await generate(engine, { html: scriptsPage() });
    const { fonts, pages } = await readPdfAndFonts(pdf);
    await savePictures('scripts', pdf, 110, 1);
    const text = pages[0]?.text.replace(/\s/g, '').normalize('NFKC') ?? '';
    const isPlain = (script: string): boolean =>
      [
        'Latin',
        'Greek',
        'Cyrillic',
        'Armenian',
        'Georgian',
        'Lao',
        'Ethiopic',
        'Han, Kana',
        'Hangul',
      ].includes(script);
    for (const [script, , sample] of SCRIPTS) {
      if (isPlain(script)) assert.ok(text.includes(sample.replace(/\s/g, '').normalize('NFKC')), script);
    }
    for (const font of ['Devanagari', 'Bengali', 'Tamil', 'Thai', 'Khmer', 'Ethiopic', 'NotoNaskhArabic']) {
      assert.ok(
        fonts.some((name) => name.includes(font)),
        `${font} in ${fonts.join()}`,
      );
    }
  });
});
