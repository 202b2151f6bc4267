import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import type { PdfEngine, Resource, ResourceFailure, ResourceRequest } from '#pdf';
import { isFullRun, sampleTests } from '../support/sample.ts';
import { generate, NOT_SERVED } from './support/open-engine.ts';
import { measureSlowness } from './support/measure-slowness.ts';
import { countDifferentPixels, paintPdf, readDates, readPdf } from './support/read-pdf.ts';
import { shareEngine } from './support/shared-engine.ts';
import { scaledMs } from '../support/patience.ts';

const it = sampleTests(6);

const SITE = 'https://site.example';
const NOW = '2031-05-06T07:08:09Z';
/** The renders of each document that has no end, and of each that has one. */
const [TIMES, COMPLETE_TIMES] = isFullRun ? [8, 3] : [3, 1];

const files: Record<string, [type: string, body: string]> = {
  '/data.json': ['application/json', '{"value":1}'],
  '/worker.js': ['text/javascript', 'onmessage = ({ data }) => setTimeout(() => postMessage(data + 1), 10)'],
  '/steps.html': [
    'text/html',
    '<script>let n = 0; (function next() { if (n++ < 8) setTimeout(next, 900); else document.write("framed") })()</script>',
  ],
  '/worker.html': [
    'text/html',
    '<script>const worker = new Worker("worker.js"); worker.onmessage = ({ data }) => parent.postMessage(data, "*"); worker.postMessage(0)</script>',
  ],
  '/frame.html': ['text/html', '<script>setTimeout(() => parent.postMessage("framed", "*"), 700)</script>'],
};

let engine: PdfEngine;

/** Longer than a document without conditions waits for a response. */
const SLOW_MS = 5_500;

/** Responds after 20 ms of real time, to /slow later, and to /never not at all. */
async function serve({ url }: ResourceRequest): Promise<Resource | ResourceFailure> {
  if (url.endsWith('/never')) return new Promise(() => {});
  await new Promise((resolve) => setTimeout(resolve, url.endsWith('/slow') ? SLOW_MS : 20));
  const [type, body] = files[new URL(url).pathname] ?? [];
  if (type === undefined || body === undefined) return NOT_SERVED;
  return { url, status: 200, headers: [['content-type', type]], body: Buffer.from(body) };
}

before(async () => {
  engine = await shareEngine(() => serve);
});

/** Renders a document with an element `o` and a function `log`. Returns its text. */
async function run(script: string, extra: object = {}): Promise<string> {
  const html = `<pre id=o></pre><script>const log = (text) => o.append(text + " ")</script><script>${script}</script>`;
  const { pdf } = await generate(engine, { html, base_url: `${SITE}/`, ...extra });
  return (await readPdf(pdf)).pages
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Scripts that run until they are done, and the text that each leaves. Half of them unless TEST_FULL=1. */
const COMPLETE: Record<string, [script: string, text: string]> = {
  'a timer of two seconds': ['setTimeout(() => log("done"), 2000)', 'done'],
  'timers one after the other': [
    'let n = 0; (function next() { if (n++ < 20) setTimeout(next, 200); else log("done") })()',
    'done',
  ],
  '90 animation frames': [
    'let n = 0; requestAnimationFrame(function next() { if (++n < 90) requestAnimationFrame(next); else log("done") })',
    'done',
  ],
  'animation frames, which come 16 ms apart and after ten of them 33 ms': [
    'let last = 0; const gaps = []; requestAnimationFrame(function next(time) { gaps.push(time - last); last = time; gaps.length < 15 ? requestAnimationFrame(next) : log(gaps.slice(1).map((gap) => gap < 30 ? "-" : "=").join("")) })',
    '---------=====',
  ],
  'a script that adds pages in animation frames for 25 seconds': [
    'let n = 0; requestAnimationFrame(function next() { for (let at = 0; at < 5; at++) document.body.append(document.createElement("i")); if (++n < 750) requestAnimationFrame(next); else log("done") })',
    'done',
  ],
  'a canceled animation frame': [
    'cancelAnimationFrame(requestAnimationFrame(() => log("never"))); requestAnimationFrame(() => log("done"))',
    'done',
  ],
  'requests with pauses between them': [
    '(async () => { for (let n = 0; n < 4; n++) { await fetch("data.json"); await new Promise((next) => setTimeout(next, 250)); log(n) } })()',
    '0 1 2 3',
  ],
  'a transition and an animation': [
    'const style = document.createElement("style"); style.textContent = "@keyframes k { to { opacity: 1 } } #a { animation: k 2s } #b { transition: opacity 1s }"; document.head.append(style);' +
      'for (const id of ["a", "b"]) { const p = document.createElement("p"); p.id = id; document.body.append(p) }' +
      'a.onanimationend = () => log("animated"); b.ontransitionend = () => log("moved"); getComputedStyle(b).opacity; b.style.opacity = .5',
    'moved animated',
  ],
  'waiting by reading the clock': [
    'const start = Date.now(), first = new Date(); while (Date.now() - start < 500 || new Date() - first < 500 || performance.now() < 900); log("done")',
    'done',
  ],
  'steps that use the time as an id': [
    'const ids = new Set(); (async () => { for (let n = 0; n < 50; n++) { ids.add(Date.now()); await n } log(ids.size) })()',
    '50',
  ],
  'dates of all kinds': [
    'class Day extends Date {}; const date = new Date(0); log([date instanceof Date, date.constructor === Date, new Date(2001, 2, 3).getFullYear(), new Day() instanceof Day, new Date() instanceof Date, Date() === String(new Date()), Date.UTC(1970, 0), Math.abs(new Date() - Date.now()) < 9].join())',
    'true,true,2001,true,true,true,0,true',
  ],
  'a frame': [
    'onmessage = ({ data }) => log(data); document.body.append(Object.assign(document.createElement("iframe"), { src: "frame.html" }))',
    'framed',
  ],
  'timers of a frame for seven seconds': [
    'document.body.append(Object.assign(document.createElement("iframe"), { src: "steps.html" }))',
    'framed',
  ],
  'timers of a frame of another origin, and no message that the document sees': [
    'onmessage = ({ data }) => log(data); document.body.append(Object.assign(document.createElement("iframe"), { src: "https://other.example/steps.html" }))',
    'framed',
  ],
  'timers of a sandboxed frame in a frame': [
    `document.body.append(Object.assign(document.createElement("iframe"), { srcdoc: '<iframe sandbox=allow-scripts src="${SITE}/steps.html"></iframe>' }))`,
    'framed',
  ],
  'a worker of a frame': [
    'onmessage = ({ data }) => log(data); document.body.append(Object.assign(document.createElement("iframe"), { src: "worker.html" }))',
    '1',
  ],
  'a worker of a worker': [
    `const chat = 'const inner = new Worker(URL.createObjectURL(new Blob(["onmessage = ({ data }) => setTimeout(() => postMessage(data + 1), 100)"]))); inner.onmessage = ({ data }) => { if (data < 15) inner.postMessage(data); else postMessage(data) }; inner.postMessage(0)';` +
      'new Worker(URL.createObjectURL(new Blob([chat]))).onmessage = ({ data }) => log(data)',
    '15',
  ],
  'delayed tasks of the scheduler': [
    'let n = 0; (function next() { if (n++ < 8) scheduler.postTask(next, { delay: 900 }); else log("done") })()',
    'done',
  ],
  'idle callbacks, also a canceled one': [
    'cancelIdleCallback(requestIdleCallback(() => log("never"))); let n = 0; requestIdleCallback(function next(deadline) { if (n++ < 50) requestIdleCallback(next); else log([deadline.didTimeout, deadline.timeRemaining() > 0].join()) })',
    'false,true',
  ],
  'messages through a channel': [
    'const { port1, port2 } = new MessageChannel(); let n = 0; port1.onmessage = () => { if (n++ < 2000) port2.postMessage(0); else log("done") }; port2.postMessage(0)',
    'done',
  ],
  'messages through a channel without end': [
    'const { port1, port2 } = new MessageChannel(); port1.onmessage = () => port2.postMessage(0); port2.postMessage(0); setTimeout(() => log("done"), 3000)',
    'done',
  ],
  WebAssembly: [
    'WebAssembly.instantiate(new Uint8Array([0,97,115,109,1,0,0,0,1,5,1,96,0,1,127,3,2,1,0,7,5,1,1,102,0,0,10,6,1,4,0,65,42,11])).then(({ instance }) => log(instance.exports.f()))',
    '42',
  ],
  'a private file': [
    'navigator.storage.getDirectory().then((folder) => folder.getFileHandle("a", { create: true })).then(() => log("created"))',
    'created',
  ],

  'a list of databases and files': [
    'indexedDB.databases().then(async ({ length }) => { log("listed " + length) })',
    'listed 0',
  ],
  'a cookie of the cookie store': [
    'cookieStore.set("a", "1").then(() => cookieStore.get("a")).then(({ value }) => log(value))',
    '1',
  ],
  'rendered audio': [
    'new OfflineAudioContext(1, 4410, 44100).startRendering().then(({ length }) => log(length))',
    '4410',
  ],
  'an observer of sizes': [
    'const box = document.createElement("div"); document.body.append(box); new ResizeObserver(([{ contentRect }]) => { if (contentRect.width === 100) log("resized") }).observe(box); setTimeout(() => { box.style.width = "100px" }, 500)',
    'resized',
  ],
  'images that load when they become visible, below the first screen too': [
    'const boxes = Array.from({ length: 9 }, () => document.createElement("div")); let seen = 0;' +
      'const observer = new IntersectionObserver((entries) => { for (const { isIntersecting, target } of entries) if (isIntersecting) { seen += 1; observer.unobserve(target) } if (seen === 9) log("all") });' +
      'for (const box of boxes) { box.style.height = "400px"; o.before(box); observer.observe(box) }',
    'all',
  ],
  'a worker that computes': [
    'const worker = new Worker(URL.createObjectURL(new Blob(["onmessage = () => { let sum = 0; for (let n = 0; n < 3e7; n++) sum += n; postMessage(\'computed\') }"]))); worker.onmessage = ({ data }) => log(data); worker.postMessage(1)',
    'computed',
  ],
  'messages to and from a worker': [
    'const worker = new Worker("worker.js"); worker.onmessage = ({ data }) => { if (data < 20) worker.postMessage(data); else log(data) }; worker.postMessage(0)',
    '20',
  ],
  'a database': [
    'const open = indexedDB.open("a"); open.onupgradeneeded = () => open.result.createObjectStore("s");' +
      'open.onsuccess = () => { const s = open.result.transaction("s", "readwrite").objectStore("s"); s.put("stored", 1); s.get(1).onsuccess = ({ target }) => log(target.result) }',
    'stored',
  ],
  cryptography: [
    'crypto.subtle.digest("SHA-256", new Uint8Array(9)).then((hash) => log(hash.byteLength))',
    '32',
  ],
  'a cache': [
    'caches.open("a").then(async (cache) => { await cache.put("/x", new Response("cached")); log(await (await cache.match("/x")).text()) })',
    'cached',
  ],
  'an image that is read': [
    'const canvas = document.createElement("canvas"); canvas.toBlob((blob) => createImageBitmap(blob).then(({ width }) => log(width)))',
    '300',
  ],
  'an observer of what is visible': [
    'new IntersectionObserver(([entry]) => log(entry.isIntersecting)).observe(o)',
    'true',
  ],
};

void describe('a script is finished before its document is printed', () => {
  for (const [name, [script, text]] of Object.entries(COMPLETE)) {
    it(name, async () => {
      for (let time = 0; time < COMPLETE_TIMES; time += 1) assert.equal(await run(script), text);
    });
  }

  it('takes no longer than its work: ten seconds of timers pass at once', async () => {
    const startedAt = performance.now();
    await run('let n = 0; (function next() { if (n++ < 10) setTimeout(next, 900, o.append(".")) })()');
    assert.ok(performance.now() - startedAt < scaledMs(5_000));
  });
});

void describe('print events', () => {
  const CHART =
    'const canvas = document.createElement("canvas"); document.body.append(canvas); const draw = () => { canvas.width = 200; log(canvas.width) };';

  it('beforeprint is sent, and what it draws is printed, in frames too', async () => {
    assert.equal(await run(`${CHART} addEventListener("beforeprint", draw)`), '200');
    assert.equal(await run(`${CHART} onbeforeprint = () => Promise.resolve().then(draw)`), '200');
    const frame = '<p id=p><script>onbeforeprint = () => p.append("framed")</script>';
    const framed = `document.body.append(Object.assign(document.createElement("iframe"), { srcdoc: ${JSON.stringify(frame).replaceAll('</', '<\\/')} }))`;
    assert.equal(await run(framed), 'framed');
  });

  it('listeners of media queries for print are called, and their work is waited for', async () => {
    const late = '({ matches }) => setTimeout(() => log(matches), 5000)';
    assert.equal(await run(`matchMedia("print").addEventListener("change", ${late})`), 'true');
    assert.equal(await run(`matchMedia("only print").addListener(${late})`), 'true');
    assert.equal(await run(`matchMedia("print").onchange = ${late}`), 'true');
    assert.equal(await run(`matchMedia("screen").onchange = ${late}`), '');
    assert.equal(await run(`matchMedia("print").onchange = ${late}`, { media: 'screen' }), '');
  });
});

/** Scripts that attack the service's functions or starve the clock: half of them unless TEST_FULL=1. */
const CONTROL =
  'const control = Object.getOwnPropertyNames(window).find((name) => /^__[0-9a-f]{8}-/.test(name));';
const HOSTILE: Record<string, string> = {
  'the functions of the service are replaced': `${CONTROL} for (const attack of [() => { window[control] = null }, () => { delete window[control] }, () => { window[control].takeActivity = () => { while (true); } }, () => Object.defineProperty(window, control, { value: 1 })]) try { attack() } catch {}`,
  'each prototype throws':
    'const no = { value() { throw 1 } }; onload = () => { for (const owner of [Promise, Map, Set, Function, Reflect, MutationObserver, Document, Performance, Event, MessageEvent, Animation]) for (const name of Reflect.ownKeys(owner.prototype ?? owner)) try { Object.defineProperty(owner.prototype ?? owner, name, no) } catch {} }',
  'each member that a reader could miss throws':
    'for (const name of ["attributeFilter", "changes", "pending", "timers", "get", "set", "value", "then", "toJSON", "0"]) Object.defineProperty(Object.prototype, name, { get() { throw 1 }, set() { throw 2 }, configurable: true })',
  'arrays cannot be iterated': 'Array.prototype[Symbol.iterator] = () => { throw 1 }',
  'elements have the names of functions':
    'document.write("<form name=getAnimations></form><form name=querySelectorAll></form><form name=createElement></form><form name=readyState></form>")',
  'frames report endless work': `const frame = document.createElement("iframe"); frame.sandbox = "allow-scripts"; frame.srcdoc = \`<script>${CONTROL} setInterval(() => parent.postMessage({ [control]: { pending: 1, changes: -5, timers: NaN, repeating: Infinity, animations: 1e300 } }, "*"), 1)<\\/script>\`; document.body.append(frame)`,
  'frames ask each other without end': `${CONTROL} onmessage = () => {}; setInterval(() => postMessage({ [control]: "ask" }, "*"), 1)`,
  'messages double': 'onmessage = () => { postMessage(1); postMessage(1) }; postMessage(1)',
  'timers chain without end': '(function next() { setTimeout(next) })()',
  'animations restart when they finish':
    'onload = () => { (function next() { document.body.animate({ opacity: [0.9, 1] }, 1e9).onfinish = next })() }',
  'sizes change whenever they are observed':
    'const box = document.createElement("div"); document.body.append(box); new ResizeObserver(() => { box.style.width = `${Math.random() * 99}px` }).observe(box)',
  'the document is opened without end':
    'onload = () => setInterval(() => { document.open(); document.write("<p>done<script>1<\\/script>"); document.close() }, 50)',
  '50 frames change without end':
    'for (let n = 0; n < 50; n++) document.body.append(Object.assign(document.createElement("iframe"), { srcdoc: "<script>setInterval(() => document.body.append(1), 100)<\\/script>" }))',
  'media queries for print throw':
    'MediaQueryList.prototype.dispatchEvent = null; matchMedia("print").onchange = () => { throw 1 }; Object.defineProperty(MediaQueryList.prototype, "matches", { get() { throw 2 } })',
};

void describe('a hostile document is printed, and the next one is complete', () => {
  for (const [name, script] of Object.entries(HOSTILE)) {
    it(name, async () => {
      const startedAt = performance.now();
      assert.match(await run(`setTimeout(() => log("done"), 500); ${script}`), /done/);
      const elapsedMs = performance.now() - startedAt;
      const isInTime = elapsedMs < 7_000 || elapsedMs < 7_000 * (await measureSlowness(engine));
      assert.ok(isInTime, 'it ends before its deadline');
      assert.equal(await run('setTimeout(() => log("next"), 900)'), 'next');
    });
  }
});

void describe('equal requests give equal pages', () => {
  const ENDLESS: Record<string, string> = {
    'an endless canvas animation':
      '<canvas id=c></canvas><script>const d = c.getContext("2d"); (function draw(time) { d.fillRect((time ?? 0) / 20 % 300, performance.now() / 30 % 150, 9, 9); requestAnimationFrame(draw) })()</script>',
    'an endless change of the document':
      '<p id=p>0<script>setInterval(() => { p.textContent = Number(p.textContent) + 1 }, 70)</script>',
    'an endless CSS animation':
      '<style>@keyframes k { to { transform: translateX(300px) } } p { animation: k 700ms infinite linear; width: 9px; background: red }</style><p>x',
    'an endless SVG animation':
      '<svg><rect width=9 height=9><animate attributeName=x to=200 dur=3s repeatCount=indefinite /></rect></svg>',
    'a clock':
      '<p id=p><script>p.append(new Date().toISOString(), " ", Math.round(performance.now()))</script>',
  };
  for (const [name, html] of Object.entries(ENDLESS)) {
    it(`${name}, ${TIMES} times`, async () => {
      const first = await paintPdf((await generate(engine, { html, now: NOW })).pdf, 50);
      for (let time = 1; time < TIMES; time += 1) {
        const next = await paintPdf((await generate(engine, { html, now: NOW })).pdf, 50);
        assert.equal(countDifferentPixels(first, next), 0);
      }
    });
  }

  it('animations and transitions are printed in their final state, in frames too', async () => {
    const animated = (color: string): string =>
      `<style>@keyframes k { to { background: ${color} } } p { height: 40px; animation: k 5s forwards }</style><p>`;
    for (const html of [animated('blue'), `<iframe srcdoc="${animated('blue')}"></iframe>`]) {
      const [page] = await paintPdf((await generate(engine, { html, wait_for: 0 })).pdf, 50);
      const { data } = page ?? assert.fail();
      assert.ok(data.some((blue, at) => at % 4 === 2 && blue > 200 && (data[at - 1] ?? 255) < 60));
    }
  });
});

void describe('the clock of a document', () => {
  it('is the time of the request', async () => {
    const before = Date.now();
    const shown = Number(await run('log(Date.now())'));
    assert.ok(shown >= before && shown <= Date.now() + 1_000);
  });

  it('is `now` if the request has it', async () => {
    assert.match(await run('log(new Date().toISOString())', { now: NOW }), /^2031-05-06T07:08:09\.0/);
  });

  it('makes a document with `now` the same bytes each time, in both lanes and with tags', async () => {
    const chart =
      '<canvas id=c></canvas><script>c.getContext("2d").fillRect(0, 0, Date.now() % 300, 9)</script>';
    for (const [html, extra] of [
      ['<title>/CreationDate (D:x)</title><p>static', {}],
      [chart, {}],
      ['<title>t</title><table><tr><th>tagged<th>x<tr><th>y<td>z</table>', { tagged: true }],
    ] as const) {
      const [one, other] = [
        await generate(engine, { html, now: NOW, ...extra }),
        await generate(engine, { html, now: NOW, ...extra }),
      ];
      assert.ok(Buffer.from(one.pdf).equals(other.pdf), html);
      assert.deepEqual(
        await readDates(one.pdf),
        ["D:20310506070809+00'00'", "D:20310506070809+00'00'"],
        html,
      );
    }
  });

  it('passes in `wait_for` milliseconds, in no real time', async () => {
    const script = 'setTimeout(() => log("late"), 17_500)';
    assert.equal(await run(script), '');
    assert.equal(await run(script, { wait_for: 10_000 }), 'late');
  });
});

void describe('a condition', () => {
  it('waits for a response that takes longer than a document without one is waited for', async () => {
    const script = 'fetch("/slow").finally(() => { o.append("late"); o.className = "late" })';
    assert.equal(await run(script, { wait_for: '.late', wait_for_expression: 'o.className' }), 'late');
  });

  it('does not need the response of a request that hangs: time passes without it', async () => {
    const script = 'fetch("/never"); setTimeout(() => { o.append("done"); o.className = "done" }, 1000)';
    assert.equal(await run(script, { wait_for: '.done' }), 'done');
  });
});

void describe('wait_for_expression', () => {
  it('waits until the expression, or the promise that it is, becomes truthy', async () => {
    const script = 'setTimeout(() => { window.ready = true; log("ready") }, 18000)';
    for (const expression of [
      'window.ready',
      'ready === true',
      'new Promise((resolve) => setTimeout(() => resolve(window.ready), 50))',
    ])
      assert.equal(await run(script, { wait_for_expression: expression }), 'ready');
  });

  it('is 408 with its text if it stays falsy, long before the deadline', async () => {
    const startedAt = performance.now();
    await assert.rejects(run('', { wait_for_expression: 'window.never' }), {
      code: 'timeout',
      param: 'wait_for_expression',
      message: /"window\.never"/,
    });
    assert.ok(performance.now() - startedAt < scaledMs(10_000));
  });

  it('is 400 if it is not JavaScript, in words about its own text', async () => {
    for (const [expression, message] of [
      ['a b', /^wait_for_expression is not valid JavaScript: SyntaxError: Unexpected identifier 'b'\.$/],
      [
        'window.ready ===',
        /^wait_for_expression is not valid JavaScript: SyntaxError: Unexpected end of input\.$/,
      ],
      [
        'await ready ===',
        /^wait_for_expression is not valid JavaScript: SyntaxError: Unexpected end of input\.$/,
      ],
      [
        'window.ready;',
        /^wait_for_expression must be one expression, .* without statements and semicolons\.$/,
      ],
    ] as const)
      await assert.rejects(run('', { wait_for_expression: expression }), {
        code: 'invalid_parameter',
        param: 'wait_for_expression',
        message,
      });
    await assert.rejects(run('', { wait_for_expression: 'a', javascript: false }), {
      code: 'invalid_parameter',
    });
  });

  it('is 400 if its value is a function, which would always be truthy', async () => {
    for (const expression of ['() => window.ready === true', 'async () => false', 'Promise.resolve(log)'])
      await assert.rejects(run('', { wait_for_expression: expression }), {
        code: 'invalid_parameter',
        param: 'wait_for_expression',
        message: /is a function: call it, or send Boolean\(…\)/,
      });
    assert.equal(await run('log("called")', { wait_for_expression: '(() => Boolean(log))()' }), 'called');
  });

  it('is 408 with its last error if it throws or rejects until the end', async () => {
    for (const [expression, error] of [
      ['foo.bar.baz', 'ReferenceError: foo is not defined'],
      [
        'Promise.reject(new Error("late https://u:secret@site.example/"))',
        'Error: late https://site.example/',
      ],
      ['Promise.reject({ __proto__: null })', 'an object'],
    ] as const)
      await assert.rejects(run('', { wait_for_expression: expression }), (thrown: Error) => {
        assert.equal(
          thrown.message.replace(/^.*?, did/, 'did'),
          `did not become true within 30 s of the document's time. Its last error: ${error}.`,
        );
        return !thrown.message.includes('secret');
      });
    const late = 'setTimeout(() => { window.data = { ready: true }; log("ready") }, 12_000)';
    assert.equal(await run(late, { wait_for_expression: 'data.ready' }), 'ready');
  });

  it('is 400 if wait_for is not a selector, and both conditions hold together', async () => {
    await assert.rejects(run('', { wait_for: 'p[' }), { code: 'invalid_parameter', param: 'wait_for' });
    const script =
      'setTimeout(() => { document.body.id = "a"; setTimeout(() => { window.ready = true; o.append("ready") }, 4000) }, 4000)';
    assert.equal(await run(script, { wait_for: '#a', wait_for_expression: 'window.ready' }), 'ready');
  });

  it('is shown with its first 80 characters, without control characters', async () => {
    const expression = `false /*\n\u0007${'b'.repeat(100)}*/`;
    await assert.rejects(run('', { wait_for_expression: expression }), {
      message: /, "false \/\* b{71}…", did not/,
    });
    await assert.rejects(run('', { wait_for: `.a\n.${'b'.repeat(100)}` }), {
      message: /, "\.a \.b{76}…", within/,
    });
  });

  it('is named by the error of a selector that looks like one', async () => {
    await assert.rejects(run('', { wait_for: 'window.ready' }), {
      code: 'timeout',
      message: /"window\.ready".*wait_for_expression/,
    });
    await assert.rejects(run('', { wait_for: 'window.ready === true' }), {
      code: 'invalid_parameter',
      message: /wait_for_expression/,
    });
    await assert.rejects(run('', { wait_for: '#never' }), {
      code: 'timeout',
      message: /"#never", within 30 s of the document's time\.$/,
    });
  });
});
