import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { PdfEngine, Resource, ResourceFailure, ResourceRequest } from '#pdf';
import { generate, NOT_SERVED } from './support/open-engine.ts';
import { readPdf } from './support/read-pdf.ts';
import { shareEngine } from './support/shared-engine.ts';

const SITE = 'https://site.example';
const OTHER = 'https://other.example';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="9" height="9"/></svg>';
const FONT = readFileSync(
  fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')),
);

/** The redirects of the sites, by URL. */
const moved: Record<string, string> = {
  [`${SITE}/a.css`]: `${SITE}/deep/b.css`,
  [`${SITE}/m.js`]: `${OTHER}/deep/m.js`,
  [`${SITE}/i.svg`]: `${OTHER}/deep/i.svg`,
  [`${SITE}/f.woff2`]: `${OTHER}/deep/f.woff2`,
  [`${SITE}/data.json`]: `${OTHER}/deep/data.json`,
  [`${SITE}/frame.html`]: `${OTHER}/deep/frame.html`,
  [`${SITE}/circle.svg`]: `${SITE}/circle.svg`,
  [`${SITE}/plain.js`]: 'http://other.example/deep/plain.js',
  'http://site.example/i.svg': `${OTHER}/deep/i.svg`,
};

const files: Record<string, [type: string, body: string | Buffer]> = {
  '/deep/b.css': ['text/css', '@import "c.css"; p{background:url(i.svg)}'],
  '/deep/c.css': ['text/css', 'p::after{content:" styled"}'],
  '/deep/m.js': ['text/javascript', 'import {x} from "./n.js"; p.append(x, import.meta.url); p.id="done"'],
  '/deep/n.js': ['text/javascript', 'export const x = " moduled "'],
  '/deep/plain.js': ['text/javascript', 'document.body.append("insecure")'],
  '/deep/i.svg': ['image/svg+xml', SVG],
  '/deep/f.woff2': ['font/woff2', FONT],
  '/deep/data.json': ['application/json', '{"value":"fetched"}'],
  '/deep/frame.html': [
    'text/html',
    '<p>framed <img src="i.svg"><script>document.write(location.href)</script>',
  ],
  '/outer.html': ['text/html', '<p>outer<script src="/plain.js"></script>'],
};

let engine: PdfEngine;
let requested: string[] = [];

function serve({ url }: ResourceRequest): Promise<Resource | ResourceFailure> {
  requested.push(url);
  const location = moved[url];
  if (location !== undefined)
    return Promise.resolve({ url, status: 302, headers: [['location', location]], body: Buffer.alloc(0) });
  const file = files[new URL(url).pathname];
  return file ? respond(url, file) : Promise.resolve(NOT_SERVED);
}

function respond(url: string, [type, body]: [string, string | Buffer]): Promise<Resource> {
  return Promise.resolve({ url, status: 200, headers: [['content-type', type]], body: Buffer.from(body) });
}

before(async () => {
  engine = await shareEngine(() => serve);
});

async function text(html: string, extra: object = {}): Promise<string> {
  requested = [];
  const { pdf } = await generate(engine, { html, base_url: `${SITE}/`, ...extra });
  return (await readPdf(pdf)).pages[0]?.text.replace(/\s+/g, ' ') ?? '';
}

/** The text of a document whose script says, by this name, when it is done. */
const said = (html: string): Promise<string> => text(html, { wait_for: '#done' });
const fetching = (call: string): string =>
  `<p id=p><script>(async () => { try { ${call} } catch (error) { p.append(error.name) } p.id = "done" })()</script>`;

void describe('what is reached over a redirect', () => {
  void it('a style sheet resolves its addresses by its own, and each is fetched once', async () => {
    assert.match(await text('<link rel=stylesheet href="a.css"><p>x'), /x styled/);
    assert.deepEqual(requested, [
      `${SITE}/a.css`,
      `${SITE}/deep/b.css`,
      `${SITE}/deep/c.css`,
      `${SITE}/deep/i.svg`,
    ]);
  });

  void it('a module imports its neighbors relative to its last URL', async () => {
    assert.match(
      await said('<p id=p>x<script type=module src="m.js"></script>'),
      /x moduled https:\/\/other\.example\/deep\/m\.js/,
    );
    assert.deepEqual(requested, [`${SITE}/m.js`, `${OTHER}/deep/m.js`, `${OTHER}/deep/n.js`]);
  });

  void it('a frame has the last URL, with the fragment of the first', async () => {
    assert.match(
      await text('<iframe src="frame.html#part" width=600></iframe>'),
      /framed .*https:\/\/other\.example\/deep\/frame\.html#part/,
    );
    assert.deepEqual(requested, [`${SITE}/frame.html`, `${OTHER}/deep/frame.html`, `${OTHER}/deep/i.svg`]);
  });

  void it('images and fonts are there', async () => {
    assert.match(
      await said(
        fetching(
          `const image = new Image(); image.src = 'i.svg'; await image.decode(); p.append(image.naturalWidth, ' ');
           const font = new FontFace('F', 'url(f.woff2)'); await font.load(); p.append(font.status)`,
        ),
      ),
      /40 loaded/,
    );
    // The browser asks for a font again whose request was redirected.
    const urls = [`${SITE}/i.svg`, `${OTHER}/deep/i.svg`, `${SITE}/f.woff2`, `${OTHER}/deep/f.woff2`];
    assert.deepEqual([...new Set(requested)], urls);
  });

  void it('fetch and XMLHttpRequest get the last URL', async () => {
    assert.match(
      await said(
        fetching(
          `const response = await fetch('data.json'); p.append(response.url, ' ', response.redirected, ' ', response.type, ' ', (await response.json()).value)`,
        ),
      ),
      /https:\/\/other\.example\/deep\/data\.json true cors fetched/,
    );
    assert.match(
      await said(
        fetching(
          `const request = new XMLHttpRequest(); request.open('GET', 'data.json'); await new Promise((resolve) => { request.onload = resolve; request.send() }); p.append(request.responseURL, ' ', request.responseText)`,
        ),
      ),
      /https:\/\/other\.example\/deep\/data\.json \{"value":"fetched"\}/,
    );
    assert.deepEqual(requested, [`${SITE}/data.json`, `${OTHER}/deep/data.json`]);
  });

  void it('fetch may refuse redirects, and a policy of the document applies to their targets', async () => {
    assert.match(await said(fetching(`await fetch('data.json', { redirect: 'error' })`)), /TypeError/);
    assert.match(
      await said(fetching(`p.append((await fetch('data.json', { redirect: 'manual' })).type)`)),
      /opaqueredirect/,
    );
    const image = fetching(
      `const image = new Image(); image.src = 'i.svg'; await image.decode(); p.append(image.naturalWidth)`,
    );
    const allowing = (origins: string): string =>
      `<meta http-equiv=Content-Security-Policy content="img-src ${origins}">${image}`;
    assert.match(await said(allowing(SITE)), /EncodingError/);
    assert.match(await said(allowing(`${SITE} ${OTHER}`)), /40/);
  });

  void it('a circle is ended after ten redirects, with a warning', async () => {
    const { warnings } = await generate(engine, {
      html: '<img src="circle.svg"><script></script>',
      base_url: `${SITE}/`,
    });
    assert.match(warnings.join(), /circle\.svg .*redirects more than 10 times/);
  });

  void it('from http to https as from https to https', async () => {
    const image = `const image = new Image(); image.src = 'http://site.example/i.svg'; await image.decode(); p.append(image.naturalWidth)`;
    assert.match(await said(fetching(image)), /40/);
    assert.deepEqual(requested, ['http://site.example/i.svg', `${OTHER}/deep/i.svg`]);
  });

  void it('from https to http scripts too', async () => {
    assert.equal(await text('<iframe src="outer.html"></iframe>'), 'outer insecure');
    assert.deepEqual(
      [...new Set(requested)],
      [`${SITE}/outer.html`, `${SITE}/plain.js`, 'http://other.example/deep/plain.js'],
    );
  });
});
