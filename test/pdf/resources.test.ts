import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import type { PdfEngine, Resource, ResourceBudget, ResourceFailure, ResourceRequest } from '#pdf';
import { generate, NOT_SERVED, openEngine } from './support/open-engine.ts';
import { measureSlowness } from './support/measure-slowness.ts';
import { paintPdf, readPdf } from './support/read-pdf.ts';
import { sampleTests } from '../support/sample.ts';
import { shareEngine } from './support/shared-engine.ts';

const it = sampleTests(4);

const ORIGIN = 'https://site.example';
const RED = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC',
  'base64',
);
const RED_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>';

const files: Record<string, [type: string, body: string | Buffer]> = {
  '/dot.png': ['image/png', RED],
  '/dot.svg': ['image/svg+xml', RED_SVG],
  '/a.css': ['text/css', '@import "b.css"; p::after{content:" styled"}'],
  '/b.css': ['text/css', 'p{background:url(dot.svg);height:60px}'],
  '/a.js': ['text/javascript', 'document.body.append(" scripted")'],
  '/m.js': ['text/javascript', 'import {x} from "./n.js"; document.body.append(x)'],
  '/n.js': ['text/javascript', 'export const x = " moduled"'],
  '/frame.html': ['text/html', '<p>framed <img src="dot.svg"><script src="a.js"></script>'],
  '/data.json': ['application/json', '{"value":" fetched"}'],
  '/latin1.txt': ['text/plain; charset=iso-8859-1', Buffer.from('gr\u00fcn', 'latin1')],
};

let engine: PdfEngine;
let requests: ResourceRequest[] = [];
let budgets: ResourceBudget[] = [];

function serve(request: ResourceRequest): Promise<Resource | ResourceFailure> {
  requests.push(request);
  const url = new URL(request.url);
  const file = url.origin === ORIGIN ? files[url.pathname] : undefined;
  if (url.pathname === '/moved.png')
    return Promise.resolve({
      url: request.url,
      status: 302,
      headers: [['location', '/dot.svg']],
      body: new Uint8Array(),
    });
  if (url.pathname === '/echo')
    return Promise.resolve({
      url: request.url,
      status: 200,
      headers: [['content-type', 'text/plain']],
      body: request.body ?? new Uint8Array(),
    });
  if (!file) return Promise.resolve(NOT_SERVED);
  return Promise.resolve({
    url: request.url,
    status: 200,
    headers: [
      ['content-type', file[0]],
      ['set-cookie', 'a=b'],
      ['content-encoding', 'gzip'],
      ['content-length', '1'],
    ],
    body: Buffer.from(file[1]),
  });
}

before(async () => {
  engine = await shareEngine((budget) => (budgets.push(budget), serve));
});

async function text(html: string, extra: object = {}): Promise<string> {
  requests = [];
  budgets = [];
  const { pdf } = await generate(engine, { html, base_url: `${ORIGIN}/`, ...extra });
  return (await readPdf(pdf)).pages.map((page) => page.text).join('\n');
}

async function hasRed(html: string, extra: object = {}): Promise<boolean> {
  const pictures = await paintPdf(
    (await generate(engine, { html, base_url: `${ORIGIN}/`, ...extra })).pdf,
    40,
  );
  return pictures.some(({ data }) =>
    data.some((value, at) => at % 4 === 0 && value > 200 && (data[at + 1] ?? 255) < 60),
  );
}

void describe('what a document loads', () => {
  it('images, also lazy and far below, as backgrounds, only for print, in frames and by a redirect', async () => {
    const cases = [
      '<img src="dot.png" width=40 height=40>',
      '<img src="/dot.svg">',
      '<img src="moved.png">',
      '<div style="height:9000px"></div><img src="dot.svg" loading=lazy decoding=async>',
      '<style>@media print{p{background:url(dot.svg);height:60px}}</style><p>x',
      '<link rel=stylesheet href="a.css"><p>x',
      '<picture><source srcset="dot.svg" media=print><img src="none.png"></picture>',
      '<iframe src="frame.html"></iframe>',
      '<object data="dot.svg" type="image/svg+xml" width=40 height=40></object>',
      '<svg width=40 height=40><image href="dot.png" width=40 height=40 /></svg>',
      '<p><script>const i=new Image();i.src="dot.svg";document.body.append(i)</script>',
      '<script>onload=()=>fetch("data.json").then(()=>{document.body.innerHTML="<img src=dot.svg>"})</script>',
      '<canvas id=c></canvas><script>const i=new Image();i.onload=()=>c.getContext("2d").drawImage(i,0,0);i.src="dot.svg"</script>',
    ];
    for (const html of cases) assert.equal(await hasRed(html), true, html);
    assert.equal(await hasRed('<img src="dot.png" width=40 height=40>', { javascript: false }), true);
    assert.equal(
      await hasRed('<div style="height:9000px"></div><img src="dot.svg" loading=lazy>', {
        javascript: false,
      }),
      true,
    );
  });

  it('what scripts fetch one after the other', async () => {
    const script =
      'onload=async()=>{for(let n=0;n<20;n++)await fetch("data.json?"+n);document.body.append("all fetched")}';
    assert.match(await text(`<p>x<script>${script}</script>`), /all fetched/);
    assert.equal(requests.length, 20);
  });

  it('style sheets, scripts, modules, frames and data', async () => {
    assert.match(await text('<link rel=stylesheet href="a.css"><p>x'), /x styled/);
    assert.match(await text('<p>x<script src="a.js"></script>'), /x\s*scripted/);
    assert.match(await text('<p>x<script type=module src="m.js"></script>'), /x\s*moduled/);
    assert.match(await text('<iframe src="frame.html"></iframe>'), /framed\s+scripted/);
    assert.match(
      await text('<p id=p>x<script>fetch("data.json").then(r=>r.json()).then(j=>p.append(j.value))</script>'),
      /x fetched/,
    );
    assert.match(
      await text(
        '<p id=p>x<script>const r=new XMLHttpRequest;r.open("GET","latin1.txt");r.onload=()=>p.append(r.responseText);r.send()</script>',
      ),
      /xgrün/,
    );
    assert.match(
      await text(
        '<p id=p>x<script>fetch("echo",{method:"POST",body:"ünï"}).then(r=>r.text()).then(t=>p.append(t))</script>',
      ),
      /xünï/,
    );
    assert.equal(requests[0]?.method, 'POST');
  });

  it('what scripts ask for as no form could, or with credentials; the browser’s own preflights go no further', async () => {
    const asked = (init: string): string =>
      `<p id=p>x<script>fetch("echo",${init}).then(r=>r.text()).then(t=>p.append(t),e=>p.append(e))</script>`;
    const json = `{method:"PUT",headers:{"content-type":"application/json",authorization:"Bearer own","x-a":"1"},body:"{}"}`;
    assert.match(await text(asked(json)), /x\{\}/);
    assert.deepEqual(
      requests.map(({ method, headers }) => [method, headers['authorization']]),
      [['PUT', 'Bearer own']],
    );
    assert.match(await text(asked('{method:"POST",credentials:"include",body:"sent"}')), /xsent/);
    assert.equal(await hasRed('<img src="dot.png" width=40 height=40 crossorigin=use-credentials>'), true);
  });

  it('is fetched within a budget, without cookies, and leaves a gap if it cannot be fetched', async () => {
    assert.match(
      await text(
        '<img src="none.png"><link rel=stylesheet href="none.css"><script src="none.js"></script><p>x',
      ),
      /x/,
    );
    assert.equal(budgets[0]?.maxBytes, 50 * 1024 * 1024);
    assert.equal(budgets[0]?.maxRequests, 500);
    assert.ok((budgets[0]?.timeoutMs ?? Infinity) <= 45_000, '75 % of the time of the document');
    await text('<img src="dot.png">');
    await text('<img src="dot.png">');
    assert.equal(requests.length, 1, 'nothing is kept from the render before');
    assert.ok(
      requests.every(({ headers }) =>
        Object.keys(headers).every((name) => !/cookie|authorization/i.test(name)),
      ),
    );
  });

  it('has one budget with the header, also in a page of its own', async () => {
    const header = { header_html: `<img src="${ORIGIN}/dot.png">` };
    await text('<p>x<script>1</script><img src="dot.svg">', header);
    assert.equal(requests.length, 2);
    assert.equal(budgets.length, 1);
  });

  it('never leads the document itself away', async () => {
    assert.match(await text('<body onload="location=\'frame.html\'"><p>stays'), /stays/);
    assert.match(await text('<meta http-equiv=refresh content="0;url=frame.html"><p>stays'), /stays/);
    assert.match(
      await text(
        '<p>stays<iframe src="data:text/html,<script>top.location=\'https://site.example/frame.html\'</script>"></iframe>',
      ),
      /stays/,
    );
  });

  for (const script of [
    'location = "frame.html"',
    'if (!localStorage.token) location.replace("/login")',
    'location.reload()',
    'document.forms[0].submit()',
    'document.links[0].click()',
    'location = "mailto:a@site.example"',
    'location = "frame.html?" + "x".repeat(3e6)',
  ])
    it(`refuses a document that navigates before it has loaded, as its rest would be missing: ${script.slice(0, 40)}`, async () => {
      const html = `<form action=/f></form><a href=/a>a</a><script>${script}</script><p>rest`;
      await assert.rejects(text(html), { code: 'render_failed', message: /navigated away/ });
    });

  it('is whole if a script changes the fragment or the history, opens a window or downloads', async () => {
    const script =
      'location.hash = "a"; history.back(); history.pushState(1, "", "/b"); open("/c"); document.links[0].click(); location = "javascript:void 0"';
    assert.match(await text(`<a href=/a download>a</a><script>${script}</script><p>rest`), /rest/);
  });

  it('leaves a gap if an image never arrives, well before the deadline', async () => {
    await using hanging = await openEngine({
      timeoutMs: 3_000 * (await measureSlowness(engine)),
      openResourceFetcher: () => () => new Promise(() => {}),
    });
    const { pdf } = await generate(hanging, {
      html: '<p>x<img src="https://site.example/hang.png"><link rel=stylesheet href="https://site.example/hang.css">',
    });
    assert.match((await readPdf(pdf)).pages[0]?.text ?? '', /x/);
  });

  it('prints a document that asks for something without end', async () => {
    const { pages } = await generate(engine, {
      html: '<p>x<script>(function f(){fetch("https://site.example/data.json").finally(f)})()</script>',
    });
    assert.equal(pages, 1);
  });

  it('cancels a request without a response, and prints the document', async () => {
    await using slow = await openEngine({
      openResourceFetcher: () => (_request, signal) =>
        new Promise((resolve) => signal?.addEventListener('abort', () => resolve(NOT_SERVED))),
    });
    const limitMs = 6_000 * (await measureSlowness(engine));
    const startedAt = performance.now();
    const { pages } = await generate(slow, {
      html: '<p>x<script>onload=()=>fetch("https://site.example/hang").catch(()=>{})</script>',
    });
    assert.equal(pages, 1);
    assert.ok(performance.now() - startedAt < limitMs);
  });
});
