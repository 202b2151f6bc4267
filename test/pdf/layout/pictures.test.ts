/** Random pictures: the static lane selects the images that Chromium selects, and shows them alike. */
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { FetchResource, PdfEngine } from '#pdf';
import { seeded } from '../../support/random.ts';
import { generate } from '../support/open-engine.ts';
import { countDifferentPixels, paintPdf } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

const ROUNDS = process.env['TEST_FULL'] === '1' ? 300 : 10;
const COLORS = ['red', 'green', 'blue', 'orange', 'purple', 'teal', 'black', 'pink'];
const MEDIA = [
  'print',
  'screen',
  '',
  '(min-width:750px)',
  '(max-width: 700px)',
  '(orientation:portrait)',
  '(prefers-color-scheme:dark)',
  'screen and (min-width:10px)',
  'only print and (min-width:500px)',
  '(min-width:40em) and (max-width:60em)',
  'screen, print',
  ' (MIN-HEIGHT:500px) ',
  'not print',
];
const SIZES = [
  '100vw',
  '50vw',
  '300px',
  '33.3vw',
  '(max-width:900px) calc(50vw - 20px), calc( 10vw + 2em )',
  '(min-width:750px) 300px, 700px',
  '(max-width:750px) 1000px, 20em',
  '(max-width:600px) 100vw, (max-width: 1200px) 50vw, 800px',
  '(min-width:750px)50vw',
  '(min-width:1px) 120px, junk',
];
const TYPES = ['', '', 'type=image/webp', 'type=image/jxl'];
const STYLES = ['', '', '', 'width=150', 'width=100 height=60', 'style="max-width:100%"'];

let engine: PdfEngine;
let requests: string[] = [];
const random = seeded(12);
let urls = 0;

/** The URL of an image: no two are equal, as Chromium prefers one that it has already. */
const makeUrl = (width = 80): string => `/${pick(COLORS)}-${width}-${(urls += 1)}`;

const fetchResource: FetchResource = ({ url }) => {
  requests.push(url);
  const [color, width] = new URL(url).pathname.slice(1).split('-');
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="40"><rect width="${width}" height="40" fill="${color}"/></svg>`;
  return Promise.resolve({
    url,
    status: 200,
    headers: [['content-type', 'image/svg+xml']],
    body: Buffer.from(body),
  });
};

before(async () => {
  engine = await shareEngine(() => fetchResource);
});

function pick<T>(list: readonly T[]): T {
  return list[random(list.length)] as T;
}

function makeList(length: number, make: () => string, separator: string): string {
  return Array.from({ length }, make).join(separator);
}

function makeSrcset(): string {
  const byWidth = (): string => {
    const width = pick([50, 100, 200, 300, 400, 500, 800, 1000, 1600]);
    return `${makeUrl(width)} ${width}w`;
  };
  const byDensity = (): string => `${makeUrl()}${pick(['', ' 1x', ' 1.5x', ' 2x'])}`;
  const srcset = makeList(1 + random(3), pick([byWidth, byDensity]), pick([', ', ' ,', ',\n ']));
  return `srcset="${srcset}" ${pick(['', `sizes="${pick(SIZES)}"`])}`;
}

const makeImage = (): string =>
  `<img ${pick(['', makeSrcset()])} ${pick(['', `src=${makeUrl(120)}`])} ${pick(STYLES)}>`;
const makeSource = (): string =>
  `<source ${makeSrcset()} media="${pick(MEDIA)}" ${pick(TYPES)} ${pick(['', '', '', 'width=99 height=33'])}>`;
const makePicture = (): string => `<picture>${makeList(random(4), makeSource, '\n')}${makeImage()}</picture>`;

void it('pictures and srcsets are those of the warm lane', async () => {
  let statics = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const html = makeList(1 + random(2), pick([makeImage, makePicture]), '<br>');
    const sheet = pick([{}, { page_size: 'A3' }, { page_size: 'A5' }, { orientation: 'landscape' }]);
    const body = { html, base_url: 'https://site.example/', ...sheet };
    requests = [];
    const chosen = await generate(engine, body);
    const inlined = requests.toSorted();
    if (chosen.lane === 'warm') continue;
    statics += 1;
    requests = [];
    const fresh = await generate(engine, { ...body, wait_for: 0 });
    assert.deepEqual(inlined, requests.toSorted(), JSON.stringify(body));
    const [one, other] = [await paintPdf(chosen.pdf, 60), await paintPdf(fresh.pdf, 60)];
    assert.equal(countDifferentPixels(one, other), 0, JSON.stringify(body));
  }
  assert.ok(statics > ROUNDS / 4, `${statics} documents are static`);
});
