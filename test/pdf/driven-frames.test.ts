import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import type { PdfEngine, Resource } from '#pdf';
import { isFullRun } from '../support/sample.ts';
import { createWithSlot, generate, openEngine } from './support/open-engine.ts';
import { paintPdf, readPdf } from './support/read-pdf.ts';

const NOW = '2031-05-06T07:08:09Z';
const TIMES = 8;
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** Documents that depend on frames: their scripts, their other content, and the text that they print. */
const DOCUMENTS: Record<string, [script: string, text: string, content: string]> = {
  'an observer of sizes that changes the size that it observes': [
    'let n = 0; new ResizeObserver(([{ contentRect: { width } }]) => { log(width); if (n++ < 3) a.style.width = `${width / 2}px` }).observe(a)',
    '400 200 100 50',
    '<div id=a style="width: 400px">',
  ],
  'an observer of sizes that waits before it draws': [
    'new ResizeObserver(() => { setTimeout(() => log("drawn"), 1500) }).observe(a)',
    'drawn',
    '<div id=a>',
  ],
  'an observer of what is visible': [
    'const seen = new IntersectionObserver((entries) => { for (const { target, isIntersecting } of entries) if (isIntersecting) { log(target.id); seen.unobserve(target) } }); for (const box of document.querySelectorAll("div")) seen.observe(box)',
    'a b c d',
    ['a', 'b', 'c', 'd'].map((id) => `<div id=${id} style="height: 700px"></div>`).join(''),
  ],
  'images that an observer loads': [
    'const seen = new IntersectionObserver((entries) => { for (const { target, isIntersecting } of entries) if (isIntersecting) { target.onload = () => log("loaded"); target.src = target.dataset.src; seen.unobserve(target) } }); for (const image of document.images) seen.observe(image)',
    'loaded loaded loaded',
    [1, 2, 3].map((n) => `<img width=9 height=600 data-src="https://site.example/${n}.png"><br>`).join(''),
  ],
  'events of scrolling': [
    'let n = 0; a.onscroll = () => { log(a.scrollTop); if (n++ < 2) a.scrollTop += 50 }; a.scrollTop = 10; onscroll = () => log(`page ${scrollY}`); onload = () => scrollTo(0, 60)',
    '10 page 60 60 110',
    '<style>* { overflow-anchor: none }</style><div id=a style="height: 100px; overflow: auto"><div style="height: 900px"></div></div><div style="height: 1500px"></div>',
  ],
  'the resize of a frame': [
    'onload = () => { a.style.width = "321px"; setTimeout(() => { a.style.width = "222px" }, 300) }',
    '321 222',
    '<iframe id=a style="width: 200px" srcdoc="<p><script>onresize = () => parent.log(innerWidth)</script>"></iframe>',
  ],
  'events of a CSS animation': [
    'for (const name of ["start", "end"]) document.addEventListener(`animation${name}`, ({ elapsedTime }) => log(name + elapsedTime))',
    'start0 end0.8',
    '<style>@keyframes k { to { margin-left: 90px } }</style><div style="animation: k 400ms 2 forwards">',
  ],
  'events of a transition': [
    'for (const name of ["run", "start", "end"]) document.addEventListener(`transition${name}`, () => log(name)); setTimeout(() => { a.style.marginLeft = "80px" }, 50)',
    'run start end',
    '<div id=a style="transition: margin-left 300ms; margin-left: 0">',
  ],
  'an animation that starts another when it finishes': [
    'o.animate({ opacity: [0, 1] }, 500).onfinish = ({ currentTime }) => { log(currentTime); o.animate({ marginLeft: ["0px", "40px"] }, { duration: 300, fill: "forwards" }).finished.then(() => log("finished")) }',
    '500 finished',
    '',
  ],
  'content-visibility: auto': [
    'let shown = 0; document.addEventListener("contentvisibilityautostatechange", ({ skipped }) => { shown += skipped ? -1 : 1 }, true); onbeforeprint = () => log(`${shown < 20}`)',
    'true',
    `<style>div { content-visibility: auto; contain-intrinsic-size: auto 200px }</style>${'<div><svg height=99></svg></div>'.repeat(20)}`,
  ],
  'a view transition': [
    'setTimeout(() => { const { ready, finished } = document.startViewTransition(() => log("changed")); ready.then(() => log("ready")); finished.then(() => log("finished")) }, 20)',
    'changed ready finished',
    '',
  ],
  'an input with autofocus': [
    'a.onfocus = () => log("focused"); a.onblur = () => log("blurred")',
    'focused v',
    '<input id=a autofocus value=v>',
  ],
};

let engine: PdfEngine;

function serve({ url }: { url: string }): Promise<Resource> {
  const body = Buffer.from(PIXEL, 'base64');
  return Promise.resolve({ url, status: 200, headers: [['content-type', 'image/png']], body });
}

before(async () => {
  const slots = 4;
  engine = await openEngine({
    slots,
    withSlot: createWithSlot(slots, 200_000),
    openResourceFetcher: () => serve,
    timeoutMs: 200_000,
    smallDocumentMs: 200_000,
  });
});
after(() => engine.close());

/** Prints a document several times at once, for two keys. Returns the different PDFs. */
async function printAll(html: string): Promise<Buffer[]> {
  const print = async (at: number): Promise<Buffer> =>
    Buffer.from((await generate(engine, { html, now: NOW }, `key-${at % 2}`)).pdf);
  const pdfs = await Promise.all(Array.from({ length: TIMES }, (_, at) => print(at)));
  return pdfs.filter((pdf, at) => pdfs.findIndex((other) => other.equals(pdf)) === at);
}

async function readText(pdf: Uint8Array): Promise<string> {
  const { pages } = await readPdf(pdf);
  return pages
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function describeDocuments(load: string): void {
  void describe(`${TIMES} equal requests ${load} give equal bytes`, () => {
    for (const [name, [script, text, content]] of Object.entries(DOCUMENTS)) {
      void it(name, async () => {
        const html = `<pre id=o></pre><script>function log(text) { o.append(text + " ") }</script>${content}<script>${script}</script>`;
        const pdfs = await printAll(html);
        assert.equal(await readText(pdfs[0] ?? assert.fail()), text);
        assert.equal(pdfs.length, 1);
      });
    }
  });
}

describeDocuments('at the same time');

if (isFullRun) {
  void describe('beside six busy processes', () => {
    const loops = new AbortController();
    before(() => {
      for (let count = 0; count < 6; count += 1)
        spawn(process.execPath, ['-e', 'for (;;);'], { signal: loops.signal }).on('error', () => {});
    });
    after(() => loops.abort());
    describeDocuments('beside six busy processes');
  });
}

void describe('the printed focus', () => {
  void it('has no ring, whatever takes it', async () => {
    const input = (attribute: string, script: string): string =>
      `<style>:focus { color: red }</style><p><input id=a ${attribute} value=v><script>${script}</script>`;
    const [plain] = await printAll(input('', '0'));
    for (const html of [input('autofocus', '0'), input('', 'a.focus()')]) {
      const pdfs = await printAll(html);
      assert.equal(pdfs.length, 1);
      assert.ok(plain && pdfs[0]?.equals(plain));
    }
  });

  void it('has no ring in a document without scripts that moves', async () => {
    const moving = (attribute: string): string =>
      `<style>@keyframes k { to { margin-left: 9px } } p { animation: k 1s }</style><p>x<input ${attribute} value=v>`;
    const [[plain], pdfs] = [await printAll(moving('')), await printAll(moving('autofocus'))];
    assert.equal(pdfs.length, 1);
    assert.ok(plain && pdfs[0]?.equals(plain));
  });
});

void it('a canvas that is drawn off the screen is printed', async () => {
  const html =
    '<canvas id=c width=300 height=100></canvas><script>const context = c.transferControlToOffscreen().getContext("2d"); context.fillStyle = "#f00"; context.fillRect(0, 0, 300, 100)</script>';
  const [page] = await paintPdf((await generate(engine, { html })).pdf, 50);
  const { data } = page ?? assert.fail();
  assert.ok(data.some((green, at) => at % 4 === 1 && green < 60 && (data[at - 1] ?? 0) > 200));
});

/** Documents that wait for what the browser draws, and the text that they end with. */
const DRAWN = {
  'a view transition':
    "<p id=p>a<script>document.startViewTransition(() => { p.textContent = 'after' }).finished.then(() => p.append(' it'))</script>",
  'a decoded image':
    '<p id=p>a<script>const image = new Image(); image.src = "data:image/svg+xml,<svg xmlns=\'http://www.w3.org/2000/svg\'/>"; image.decode().then(() => { p.textContent = "after it" }, () => { p.textContent = "after it" })</script>',
  'the time of the first paint':
    "<p id=p>a<script>new PerformanceObserver(() => { p.textContent = 'after it' }).observe({ type: 'paint', buffered: true })</script>",
};
for (const [what, html] of Object.entries(DRAWN))
  void it(`a document that waits for ${what} has it`, async () => {
    assert.equal(await readText((await generate(engine, { html })).pdf), 'after it');
  });
