/** Images with a choice: Chromium selects them for print in a window of 800 × 600 pixels. */
import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import type { FetchResource, PdfEngine } from '#pdf';
import { sampleTests } from '../../support/sample.ts';
import { generate } from '../support/open-engine.ts';
import { paintPdf } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

const it = sampleTests(4);

let engine: PdfEngine;
let requests: string[] = [];

/** Serves an image for each name: green ones are those that must be selected. */
const fetchResource: FetchResource = ({ url }) => {
  requests.push(url);
  const color = url.includes('good') ? '#00ff00' : '#ff0000';
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="${color}"/></svg>`;
  const headers: [string, string][] = [['content-type', 'image/svg+xml']];
  return Promise.resolve({ url, status: 200, headers, body: Buffer.from(body) });
};

before(async () => {
  engine = await shareEngine(() => fetchResource);
});

/** Checks whether the first page has a pixel of pure green, and none of pure red. */
async function isGreen(pdf: Uint8Array): Promise<boolean> {
  const [picture] = await paintPdf(pdf, 60, 1);
  const { data } = picture ?? { data: new Uint8ClampedArray() };
  const has = (red: number, green: number): boolean =>
    data.some((value, at) => at % 4 === 0 && value === red && data[at + 1] === green && data[at + 2] === 0);
  return has(0, 255) && !has(255, 0);
}

/** Documents that show the image `good` and load no other. */
const DOCUMENTS: Record<string, string> = {
  'of densities': '<img src=bad0 srcset="good 1x, bad 2x">',
  'of a density above 1': '<img srcset="bad 3x, good 1.5x">',
  'of widths': '<img srcset="bad1 100w, bad2 400w, good 800w, bad3 1600w">',
  'of widths and sizes':
    '<img sizes="(max-width: 700px) 10px, 50vw" srcset="bad1 100w, good 400w, bad2 800w">',
  'of a srcset that is empty': '<img srcset="" src=good>',
  'for print':
    '<picture><source media=screen srcset=bad1><source media=print srcset=good><img src=bad2></picture>',
  'that is not for dark screens':
    '<picture><source media="(prefers-color-scheme: dark)" srcset=bad1><img src=good></picture>',
  'for the width of the window':
    '<picture><source media="(min-width: 850px)" srcset=bad1><source media="(min-width: 750px)" srcset=good><img src=bad2></picture>',
  'of a type that is known':
    '<picture><source type=image/jxl srcset=bad1><source type=image/webp srcset=good><img src=bad2></picture>',
  'of image-set()': "<p style=\"background:image-set('good' 1x, 'bad' 2x);height:40px\">",
};

void describe('the image', () => {
  for (const [name, html] of Object.entries(DOCUMENTS))
    it(name, async () => {
      requests = [];
      const { pdf, warnings } = await generate(engine, { html, base_url: 'https://site.example/' });
      assert.deepEqual([requests, warnings], [['https://site.example/good'], []]);
      assert.ok(await isGreen(pdf));
    });
});
