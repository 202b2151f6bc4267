import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { FetchResource, PdfEngine, Resource } from '#pdf';
import { SITE_FILES, WITH_RESOURCES, type SiteFile } from '../documents/with-resources.ts';
import { sample } from '../../support/sample.ts';
import { generate } from '../support/open-engine.ts';
import { countDifferentPixels, paintPdf, readPdf } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

const SITE = 'https://site.example';
const SLOW_MS = 50;
let engine: PdfEngine;
/** The files that the site serves, and the requests that it got. */
let files: Record<string, SiteFile> = SITE_FILES;
let requests: string[] = [];

const fetchResource: FetchResource = ({ url }) => {
  const { origin, pathname } = new URL(url);
  requests.push(url);
  const file = origin === SITE ? files[pathname] : undefined;
  const [contentType, content] = file ?? ['text/plain', 'not found'];
  const response: Resource = {
    url,
    status: file ? 200 : 404,
    headers: [['content-type', contentType]],
    body: Buffer.from(content),
  };
  return pathname === '/slow' ? wait(SLOW_MS, response) : Promise.resolve(response);
};

before(async () => {
  engine = await shareEngine(() => fetchResource);
});

function withoutDates(pdf: Uint8Array): string {
  return Buffer.from(pdf)
    .toString('latin1')
    .replace(/\/(?:Creation|Mod)Date \(D:[^)]*\)/g, '');
}

/** A tenth of the rows of each table unless TEST_FULL=1. */
void describe('a document with resources and without scripts', () => {
  for (const [name, html] of sample(Object.entries(WITH_RESOURCES), 10)) {
    void it(`is rendered in the static lane, as the warm lane renders it: ${name}`, async () => {
      const body = { html, base_url: `${SITE}/dir/page`, footer_html: '{{page}}/{{pages}}' };
      const chosen = await generate(engine, body);
      const fresh = await generate(engine, { ...body, wait_for: 0 });
      assert.deepEqual([chosen.lane, fresh.lane], ['static', 'warm']);
      assert.deepEqual(chosen.warnings, fresh.warnings);
      if (withoutDates(chosen.pdf) === withoutDates(fresh.pdf)) return;
      const [one, other] = [await paintPdf(chosen.pdf, 100), await paintPdf(fresh.pdf, 100)];
      assert.equal(countDifferentPixels(one, other), 0);
    });
  }

  void it('takes the warm lane if a style sheet that it loads needs it, and nothing is fetched twice', async () => {
    files = {
      '/a.css': ['text/css', '@import "b.css";p{background:url(logo.png)}'],
      '/b.css': ['text/css', 'p{background:image-set("logo.png" 1x)}'],
      '/logo.png': SITE_FILES['/logo.png'] as SiteFile,
    };
    requests = [];
    const { lane } = await generate(engine, { html: `<link rel=stylesheet href=${SITE}/a.css><p>x` });
    files = SITE_FILES;
    assert.equal(lane, 'warm');
    assert.deepEqual(
      requests.toSorted(),
      ['a.css', 'b.css', 'logo.png'].map((name) => `${SITE}/${name}`),
    );
  });

  for (const [name, html] of Object.entries({
    'an image with an error status': `<img src=${SITE}/gone.png>`,
    'a style sheet with an error status': `<link rel=stylesheet href=${SITE}/gone.css>`,
    'a background': `<p style="background:url(${SITE}/gone.png)">`,
    'a background that is not shown': `<style>@media screen{p{background:url(${SITE}/gone.png)}}</style>`,
    'a font': `<style>@font-face{font-family:L;src:local(Arimo),url(${SITE}/gone.woff2)}p{font-family:L}</style>`,
  }))
    void it(`takes the warm lane without ${name}, and nothing is fetched twice`, async () => {
      requests = [];
      const { lane } = await generate(engine, { html: `${html}<p>x` });
      assert.deepEqual([lane, requests.length], ['warm', 1]);
    });

  void it('shows an SVG file that moves as the warm lane does', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><rect width="0" height="40"><animate attributeName="width" to="90" dur="0.3s" fill="freeze"/></rect></svg>';
    files = { '/moving.svg': ['image/svg+xml', svg] };
    const html = `<img src=${SITE}/moving.svg>`;
    const [chosen, warm] = [await generate(engine, { html }), await generate(engine, { html, wait_for: 0 })];
    files = SITE_FILES;
    const [one, other] = [await paintPdf(chosen.pdf, 100), await paintPdf(warm.pdf, 100)];
    assert.equal(countDifferentPixels(one, other), 0);
  });

  void it('takes the warm lane if a style sheet does not match its integrity attribute', async () => {
    const html = `<link rel=stylesheet crossorigin integrity=sha256-${'A'.repeat(43)}= href=${SITE}/red.css><p>x`;
    assert.equal((await generate(engine, { html })).lane, 'warm');
  });

  void it('loads no image again that a relative URL without a base leaves missing', async () => {
    const html = '<img src=b.png alt=b>';
    const chosen = await generate(engine, { html });
    const fresh = await generate(engine, { html, wait_for: 0 });
    assert.deepEqual([chosen.lane, chosen.warnings], ['static', fresh.warnings]);
    const [one, other] = [await paintPdf(chosen.pdf, 100), await paintPdf(fresh.pdf, 100)];
    assert.equal(countDifferentPixels(one, other), 0);
  });

  void it('fetches each resource once', async () => {
    requests = [];
    const image = `<img src=${SITE}/logo.png#1><img src=${SITE}/logo.png>`;
    await generate(engine, { html: `<link rel=stylesheet href=${SITE}/red.css><p>x${image.repeat(9)}` });
    assert.deepEqual(requests.toSorted(), [`${SITE}/logo.png`, `${SITE}/red.css`]);
  });
});

/** Serves one color for all images and style sheets. */
function serve(color: string): void {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="${color}"/></svg>`;
  files = {
    '/logo': ['image/svg+xml', svg],
    '/app.css': ['text/css', `@import "part.css";p{color:${color}}`],
    '/part.css': ['text/css', `p{border:3px solid ${color}}`],
    '/font': color === 'red' ? (SITE_FILES['/inter.woff2'] as SiteFile) : ['font/woff2', ''],
  };
}

/** Documents that name the same resources as the document before them. */
const SHARED: Record<string, string> = {
  image: `<img src="${SITE}/logo">`,
  'background image': `<p style="background:url(${SITE}/logo);height:60px">x`,
  'list marker': `<ul style="list-style:url(${SITE}/logo)"><li>x</ul>`,
  'style sheet': `<link rel=stylesheet href="${SITE}/app.css"><p>x`,
  'imported style sheet': `<style>@import url(${SITE}/app.css)</style><p>x`,
  font: `<style>@font-face{font-family:F;src:url(${SITE}/font)}p{font:20px F,serif}</style><p>The same text`,
  'a way to load that the scan does not know': `<p style="--x:1"><svg><style>p{background:url(${SITE}/logo);height:60px}</style></svg>x</p>`,
};

/** Documents that change the page itself. */
const STATEFUL: Record<string, string> = {
  'color scheme': '<meta name=color-scheme content=dark>x',
  'color scheme of the root': '<style>:root{color-scheme:dark}</style>x',
  'color scheme in a style attribute': '<html style="color-scheme:dark">x',
  'colors of the body': '<body text=red link=red vlink=red alink=red>x',
  'preferred style sheets': '<style title=a>p{color:red}</style><style title=b>p{color:blue}</style>x',
  'base URL': `<base href="${SITE}/secret/" target=_top>x`,
  'own URL': '<a href="#x">x</a>',
  animation: '<style>@keyframes k{to{color:red}}*{animation:k 9s infinite}</style>x',
  dialogs: '<dialog open><p>x</p></dialog><dialog>y</dialog><p popover>z',
  progress: '<progress value=.4></progress>x',
  pragmas: '<meta http-equiv=X-UA-Compatible content="IE=7"><meta http-equiv=imagetoolbar content=no>x',
  'language of Han characters': '<html lang=ja>骨',
  escapes: '<style>.\\31 {color:red}:root,.md\\:w-1\\/2{background:red}</style>x',
};

const SECOND =
  '<!doctype html><title>B</title><style title=b>p{border:1px solid}</style><p>text <a href="relative">x</a> <a href="#y">y</a> <input value=v>';

void describe('a page that was used before', () => {
  for (const [name, html] of sample(Object.entries(SHARED), 10)) {
    void it(`shows the next document its own resources only: ${name}`, async () => {
      const keyId = `shared ${name}`;
      serve('blue');
      const alone = await generate(engine, { html }, `alone ${name}`);
      serve('red');
      const first = await generate(engine, { html }, keyId);
      assert.equal(first.lane, 'static');
      serve('blue');
      const second = await generate(engine, { html }, keyId);
      assert.equal(withoutDates(second.pdf), withoutDates(alone.pdf));
      files = {};
      const third = await generate(engine, { html }, keyId);
      const missing = await generate(engine, { html }, `missing ${name}`);
      files = SITE_FILES;
      assert.equal(withoutDates(third.pdf), withoutDates(missing.pdf));
    });
  }

  for (const [name, html] of sample(Object.entries(STATEFUL), 10)) {
    void it(`passes nothing on: ${name}`, async () => {
      const second = { html: SECOND };
      const base = { base_url: `${SITE}/secret/` };
      const alone = await generate(engine, second, 'alone');
      const first = await generate(engine, { html, ...base }, `stateful ${name}`);
      assert.equal(first.lane, 'static');
      const after = await generate(engine, second, `stateful ${name}`);
      assert.equal(withoutDates(after.pdf), withoutDates(alone.pdf));
      const again = await generate(engine, { html, ...base }, `stateful ${name}`);
      assert.equal(withoutDates(again.pdf), withoutDates(first.pdf), 'nor to the first one, sent again');
    });
  }

  for (const header of [
    '<meta http-equiv=Content-Security-Policy content="img-src \'none\'">x',
    '<meta http-equiv=refresh content="0;url=https://site.example/">x',
    '<style>:root{color-scheme:dark}</style>x',
    '<style title=a>p{color:red}</style>x',
    '<span lang=ja>骨</span>',
  ]) {
    void it(`passes nothing on of a header: ${header}`, async () => {
      const second = { html: SECOND + `<img src="${SITE}/logo.png" width=80>` };
      const alone = await generate(engine, second, 'alone with logo');
      const first = { html: '<p>x', header_html: header, margin_top: '50mm' };
      assert.equal((await generate(engine, first, header)).lane, 'static');
      const after = await generate(engine, second, header);
      assert.equal(withoutDates(after.pdf), withoutDates(alone.pdf));
    });
  }

  void it('is not used for a document of another key', async () => {
    serve('red');
    const html = SHARED['image'] as string;
    await generate(engine, { html }, 'one key');
    files = {};
    const { pdf } = await generate(engine, { html }, 'another key');
    const missing = await generate(engine, { html }, 'a third key');
    files = SITE_FILES;
    assert.equal(withoutDates(pdf), withoutDates(missing.pdf));
  });
});

void describe('a hostile document with resources', () => {
  void it('with fonts that fail while an image is awaited has no error that nothing handles', async (test) => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    test.after(() => process.off('unhandledRejection', onUnhandled));
    const fonts = Array.from({ length: 200 }, (_, n) => `@font-face{font-family:x;src:url(${SITE}/${n})}`);
    const html = `<style>b{background:url(${SITE}/slow)}${fonts.join('')}</style>x`;
    assert.equal((await generate(engine, { html }, 'fonts')).lane, 'warm');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(unhandled, []);
  });

  const prints = async (html: string): Promise<string> => {
    const { pdf } = await generate(engine, { html: `${html}<p>printed` }, 'hostile');
    return (await readPdf(pdf)).pages.map((page) => page.text).join(' ');
  };

  void it('that imports itself without end is printed', async () => {
    files = { '/loop.css': ['text/css', '@import "loop.css";p{color:red}'] };
    assert.match(await prints(`<link rel=stylesheet href=${SITE}/loop.css>`), /printed/);
    files = SITE_FILES;
  });

  void it('that imports a long chain of style sheets requests each of them once', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    files = Object.fromEntries(
      numbers.map((number) => [`/${number}.css`, ['text/css', `@import "${number + 1}.css";`]]),
    );
    requests = [];
    assert.match(await prints(`<link rel=stylesheet href=${SITE}/0.css>`), /printed/);
    assert.equal(new Set(requests).size, 101);
    assert.equal(requests.length, 101);
    files = SITE_FILES;
  });

  void it('that repeats a large image is printed', async () => {
    files = { '/large.png': ['image/png', Buffer.alloc(3 * 1024 * 1024)] };
    assert.match(await prints(`<img src=${SITE}/large.png>`.repeat(40)), /printed/);
    files = SITE_FILES;
  });
});
