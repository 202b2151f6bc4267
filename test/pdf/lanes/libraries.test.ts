/**
 * Documents of libraries that draw in the browser: each is printed when it is complete, and equal requests
 * give equal bytes. The libraries are installed from npm once.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { isFullRun, sample } from '../../support/sample.ts';
import { ITEMS, LIBRARY_URL, LibrarySite } from '../support/library-site.ts';
import { generate } from '../support/open-engine.ts';
import { paintPdf, readFonts, readPdf, type Picture } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

const TIMES = isFullRun ? 8 : 2;
const NOW = '2031-05-06T07:08:09Z';
const DPI = 72;
const RED = [255, 0, 0] as const;
const GREEN = [0, 255, 0] as const;
const BLUE = [0, 0, 255] as const;
type Color = readonly [red: number, green: number, blue: number];

let engine: PdfEngine;
let site: LibrarySite;

before(async () => {
  site = await LibrarySite.open({ withMore: false });
  engine = await shareEngine(() => (request) => site.serve(request));
});

interface Printed {
  pdf: Buffer;
  pages: number;
  /** The text of all pages, with single spaces. */
  text: string;
}

async function print(name: string): Promise<Buffer> {
  const html = await site.loadDocument(name);
  const { pdf } = await generate(engine, { html, base_url: LIBRARY_URL, now: NOW });
  return Buffer.from(pdf);
}

async function readPrinted(pdf: Buffer): Promise<Printed> {
  const { pages } = await readPdf(pdf);
  const text = pages.map((page) => page.text).join(' ');
  return { pdf, pages: pages.length, text: text.replace(/\s+/g, ' ') };
}

/** Measures the pixels of a color: from the highest to the lowest row, and their number. */
function measure(
  { data, width, height }: Picture,
  [red, green, blue]: Color,
): { height: number; pixels: number } {
  let [top, bottom, pixels] = [height, -1, 0];
  for (let at = 0; at < data.length; at += 4) {
    const distance =
      Math.abs(data[at]! - red) + Math.abs(data[at + 1]! - green) + Math.abs(data[at + 2]! - blue);
    if (distance > 24) continue;
    const row = Math.floor(at / 4 / width);
    pixels += 1;
    top = Math.min(top, row);
    bottom = Math.max(bottom, row);
  }
  return { height: bottom - top + 1, pixels };
}

async function paintFirst(pdf: Uint8Array): Promise<Picture> {
  const [page] = await paintPdf(pdf, DPI, 1);
  return page ?? assert.fail();
}

/** The bars for 1, 2 and 4 have their final heights. */
async function assertBars({ pdf }: Printed): Promise<void> {
  const picture = await paintFirst(pdf);
  const [one, two, four] = [RED, GREEN, BLUE].map((color) => measure(picture, color).height);
  const unit = four! / 4;
  assert.ok(unit > 30, `the bar of 4 is ${four} pixels high`);
  assert.ok(Math.abs(one! - unit) <= 3 && Math.abs(two! - 2 * unit) <= 3, `${one}, ${two}, ${four}`);
}

function assertTexts({ text }: Printed, ...texts: string[]): void {
  for (const each of texts)
    assert.ok(text.includes(each), `"${each}" is missing in: ${text.slice(0, 2_000)}`);
}

async function assertFormula(printed: Printed, font: RegExp): Promise<void> {
  assertTexts(printed, 'The roots are', '2');
  const fonts = await readFonts(printed.pdf);
  assert.ok(fonts.filter((name) => font.test(name)).length >= 2, fonts.join());
}

/** The checks that each document is complete. */
const COMPLETE: Record<string, (printed: Printed) => Promise<void> | void> = {
  'chart-js': assertBars,
  'echarts:canvas': assertBars,
  'echarts:svg': async (printed) => {
    await assertBars(printed);
    assertTexts(printed, 'one', 'two', 'four');
  },
  d3: async (printed) => {
    await assertBars(printed);
    assertTexts(printed, 'grown to 1', 'grown to 2', 'grown to 4');
  },
  apexcharts: async (printed) => {
    await assertBars(printed);
    assertTexts(printed, 'one', 'two', 'four');
  },
  plotly: async (printed) => {
    await assertBars(printed);
    assertTexts(printed, 'Bars', 'one', 'two', 'four');
  },
  mermaid: (printed) => {
    assertTexts(printed, 'Request', 'Valid?', 'yes', 'no', 'Render', 'Refuse', 'Client', 'POST html', 'PDF');
  },
  mathjax: (printed) => assertFormula(printed, /MJX|MathJax/),
  katex: (printed) => assertFormula(printed, /KaTeX/),
  pagedjs: (printed) => {
    assert.ok(printed.pages >= 30, `${printed.pages} pages`);
    const numbers = Array.from({ length: printed.pages }, (_, at) => `page ${at + 1} of ${printed.pages}`);
    assertTexts(printed, 'Chapter 16', 'The last line of the book.', ...numbers);
    assert.match(printed.text, /Chapter 16 on [3-9]\d/);
  },
  leaflet: async (printed) => {
    assertTexts(
      printed,
      '/tiles/3/3/3.svg',
      '/tiles/3/4/4.svg',
      'The middle of the map',
      'Tiles of the test',
    );
    const picture = await paintFirst(printed.pdf);
    const tiles = measure(picture, [255, 192, 203]).pixels;
    assert.ok(tiles > 0.8 * 384 * 384, `${tiles} pixels of tiles`);
    assert.ok(measure(picture, BLUE).pixels > 500);
  },
  react: (printed) => assertTexts(printed, '3 items', ...ITEMS),
  vue: (printed) => assertList(printed),
  svelte: (printed) => assertList(printed),
};

/** The kind of each library that is not the only one of its kind. */
const KINDS: Record<string, string> = {
  'chart-js': 'canvas',
  'echarts:canvas': 'canvas',
  'echarts:svg': 'SVG',
  d3: 'SVG',
  apexcharts: 'SVG',
  plotly: 'SVG',
  mathjax: 'formula',
  katex: 'formula',
  react: 'framework',
  vue: 'framework',
  svelte: 'framework',
};

/** The list has its data, and is red: it is not transparent any more. */
async function assertList(printed: Printed): Promise<void> {
  assertTexts(printed, '3 items', ...ITEMS, 'The list has entered.');
  assert.ok(measure(await paintFirst(printed.pdf), RED).pixels > 1_000);
}

/** One document of each kind unless TEST_FULL=1. */
void describe(`documents of libraries are complete, and equal ${TIMES} times`, () => {
  for (const [name, assertComplete] of sample(Object.entries(COMPLETE), 4, ([name]) => KINDS[name] ?? name)) {
    void it(name, async () => {
      const first = await print(name);
      await assertComplete(await readPrinted(first));
      for (let time = 1; time < TIMES; time += 1)
        assert.ok((await print(name)).equals(first), `print ${time + 1} differs`);
    });
  }
});
