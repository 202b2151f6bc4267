/** The images, style sheets and fonts of headers and footers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, beforeEach, describe, it } from 'node:test';
import type { PdfEngine, Resource, ResourceRequest } from '#pdf';
import { generate } from '../support/open-engine.ts';
import { paintPdf, readFonts, readPdf } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

const FONT = readFileSync(
  new URL(
    '../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    import.meta.url,
  ),
);
const FONT_URL = `data:font/woff2;base64,${FONT.toString('base64')}`;
const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="red"/></svg>';

const SITE: Record<string, { type: string; body: string | Buffer; status?: number; lastUrl?: string }> = {
  'https://site.example/a/logo.svg': { type: 'image/svg+xml', body: RED },
  'https://site.example/a/inter.woff2': { type: 'font/woff2', body: FONT },
  'https://site.example/a/big.css': { type: 'text/css', body: 'b{font-size:30px}' },
  'https://site.example/a/moved.css': {
    type: 'text/css',
    body: 'b{}',
    lastUrl: 'https://site.example/last.css',
  },
  'https://site.example/a/font.css': {
    type: 'text/css',
    body: '@font-face{font-family:Web;src:local("No such font"),url(inter.woff2)}b{font-family:Web}',
  },
  'https://site.example/a/chain.css': { type: 'text/css', body: '@import "big.css";i{color:red}' },
  'https://site.example/a/wrong.css': { type: 'text/html', body: 'b{font-size:30px}' },
  'https://site.example/a/escaped.css': { type: 'text/css', body: '@\\69mport "big.css";b{font-size:30px}' },
};
const BASE_URL = 'https://site.example/a/';

let engine: PdfEngine;
let requested: string[] = [];

function fetchFromSite({ url }: ResourceRequest): Promise<Resource | { failure: string }> {
  requested.push(url);
  const found = SITE[url];
  if (!found) return Promise.resolve({ failure: 'could not be reached' });
  const { type, body, status = 200, lastUrl = url } = found;
  return Promise.resolve({
    url: lastUrl,
    status,
    headers: [['content-type', type]],
    body: Buffer.from(body as string),
  } as Resource);
}

before(async () => {
  engine = await shareEngine(() => fetchFromSite);
});
beforeEach(() => {
  requested = [];
});

/** A document for each lane. */
const LANES: Record<string, object> = { 'page that is used again': {}, 'page of its own': { wait_for: 0 } };

async function render(header: string, members: object = {}) {
  const { pdf, warnings } = await generate(engine, {
    html: '<p>body',
    header_html: header,
    base_url: BASE_URL,
    ...members,
  });
  const [page] = (await readPdf(pdf)).pages;
  return {
    pdf,
    warnings,
    run: page?.runs.find(({ text }) => text.includes('Head')),
    fonts: await readFonts(pdf),
  };
}

async function hasRed(pdf: Uint8Array): Promise<boolean> {
  const [picture] = await paintPdf(pdf, 72, 1);
  const { data } = picture ?? { data: new Uint8ClampedArray() };
  return data.some((value, at) => at % 4 === 0 && value > 200 && (data[at + 1] ?? 255) < 60);
}

for (const [lane, members] of Object.entries(LANES)) {
  void describe(`a header over a ${lane}`, () => {
    void it('shows remote images, also of styles, that the service fetches once', async () => {
      for (const header of [
        '<img src="logo.svg">',
        '<img src="https://site.example/a/logo.svg"><img src="logo.svg">',
        '<img src="logo.svg" srcset="none.png 1x, none.png 2x">',
        '<picture><source media=screen srcset=none.png><source srcset=none.png><img src=logo.svg></picture>',
        '<svg width=40 height=20><image href=logo.svg width=40 height=20 /></svg>',
        '<table background=logo.svg><tr><td width=40 height=20></table>',
        '<div style="background:url(logo.svg);width:40px;height:20px"></div>',
        '<style>div{background:url("logo.svg");width:40px;height:20px}</style><div></div>',
      ]) {
        requested = [];
        const { pdf, warnings } = await render(header, members);
        assert.ok(await hasRed(pdf), header);
        assert.deepEqual([requested, warnings], [[`${BASE_URL}logo.svg`], []], header);
      }
    });

    void it('has the rules of remote style sheets, and of those that they import', async () => {
      for (const header of [
        '<link rel="stylesheet" href="big.css"><b>Head</b>',
        '<style>@import url(big.css);</style><b>Head</b>',
        '<link rel=stylesheet href="chain.css"><b>Head</b>',
      ]) {
        const { run, warnings } = await render(header, members);
        assert.ok(Math.abs((run?.height ?? 0) - 22.5) < 0.1, `${header}: ${run?.height}`);
        assert.deepEqual(warnings, []);
      }
    });

    void it('is set in its web font, from a data: URL, the site or a style sheet of the site', async () => {
      for (const header of [
        `<style>@font-face{font-family:Web;src:url(${FONT_URL})}b{font-family:Web}</style><b>Head</b>`,
        `<style>@font-face{font-family:Web;src:url("${FONT_URL}") format("woff2")}b{font-family:Web}</style><b>Head</b>`,
        '<style>@font-face{font-family:Web;src:url(inter.woff2)}b{font-family:Web}</style><b>Head</b>',
        '<link rel=stylesheet href="font.css"><b>Head</b>',
      ]) {
        const { fonts, warnings } = await render(header, members);
        assert.ok(
          fonts.some((name) => name.includes('Inter')),
          `${header.slice(0, 80)}: ${fonts.join()}`,
        );
        assert.deepEqual(warnings, []);
      }
    });

    void it('is printed without what cannot be loaded, which is reported', async () => {
      const header =
        '<style>@import "wrong.css";@font-face{font-family:W;src:url(none.woff2)}b{font-family:W,Arial}</style><img src="lost.png" srcset="logo.svg 2x"><img src="none.png"><b>Head</b>';
      const { run, warnings } = await render(header, members);
      assert.equal(Math.round(run?.height ?? 0), 9);
      assert.deepEqual(warnings, [
        `The font ${BASE_URL}none.woff2 could not be reached.`,
        `The image ${BASE_URL}lost.png could not be reached.`,
        `The image ${BASE_URL}none.png could not be reached.`,
        `The style sheet ${BASE_URL}wrong.css is not text/css.`,
      ]);
    });
  });
}

void describe('a header', () => {
  void it('whose style sheet cannot be loaded is refused', async () => {
    const message = `footer_html: The style sheet ${BASE_URL}none.css could not be reached. Correct its URL, or send a style element.`;
    const template = '<link rel=stylesheet href="none.css"><b>Head</b>';
    await assert.rejects(render('x', { footer_html: template }), {
      code: 'invalid_parameter',
      param: 'footer_html',
      message,
    });
    await assert.rejects(render('<link rel=stylesheet href="escaped.css">'), {
      param: 'header_html',
      message: /escaped\.css has escapes in its at-rules\./,
    });
    const hash = `sha256-${'A'.repeat(43)}=`;
    for (const name of ['big', 'moved'])
      await assert.rejects(
        render(`<link rel=stylesheet integrity="${hash}" crossorigin href="${name}.css">`),
        {
          param: 'header_html',
          message: new RegExp(`${name}\\.css does not match its integrity attribute\\.`),
        },
      );
  });

  void it('prints whatever else a link asks for as nothing', async () => {
    const header =
      '<link rel=preload as=style href="big.css"><link rel=stylesheet media=screen href="big.css"><link rel=icon href="logo.svg"><b>Head</b>';
    const { run, warnings } = await render(header);
    assert.equal(Math.round(run?.height ?? 0), 9);
    assert.deepEqual(warnings, []);
  });

  void it('loads nothing relative without a base URL, and says so', async () => {
    const warning = 'The image logo.svg has a relative URL, which needs base_url.';
    for (const html of ['<p>body', `<base href="${BASE_URL}"><p>body`]) {
      const { warnings } = await render('<img src="logo.svg"><b>Head</b>', { html, base_url: null });
      assert.deepEqual([warnings, requested], [[warning], []]);
    }
  });

  void it('with too many files is refused', async () => {
    const header = Array.from({ length: 65 }, (_, index) => `<img src="${index}.png">`).join('');
    await assert.rejects(render(header), { code: 'render_failed', message: /header_html and footer_html/ });
  });

  void it('has its font on every page, and in the footer', async () => {
    const style = `<style>@font-face{font-family:Web;src:url(${FONT_URL})}b{font-family:Web}</style>`;
    const html = '<hr><hr style="break-before:page">';
    const { pdf, pages } = await generate(engine, { html, footer_html: `${style}<b>Foot</b>` });
    const fonts = await readFonts(pdf);
    assert.equal(pages, 2);
    assert.ok(fonts.length > 0 && fonts.every((name) => name.includes('Inter')), fonts.join());
  });
});

void describe('the next document of a page', () => {
  void it('has no font of an earlier header', async () => {
    const style = `<style>@font-face{font-family:Web;src:url(${FONT_URL})}b{font-family:Web}</style>`;
    await render(`${style}<b>Head</b>`);
    const { fonts } = await render('<style>b{font-family:Web}</style><b>Head</b>');
    assert.ok(!fonts.some((name) => name.includes('Inter')), fonts.join());
  });
});
