import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { PdfEngine, Resource, ResourceFailure, ResourceRequest } from '#pdf';
import { generate, NOT_SERVED, openEngine } from '../support/open-engine.ts';
import { readPdf } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

const SITE = 'https://site.example';
const OTHER = 'https://other.example';

/** A document that prints what its worker says, until it says "done". */
const listening = (constructor: string): string =>
  `<p id=p>said: </p><script>
     const say = ({ data }) => { if (data === "done") p.id = "done"; else p.append(data, " ") };
     try { const worker = ${constructor}; (worker.port ?? worker).onmessage = say; worker.onerror = () => { p.append("error"); p.id = "done" } }
     catch (error) { p.append(error.name); p.id = "done" }
   </script>`;
const blob = (source: string): string =>
  `URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: "text/javascript" }))`;
/** Makes every kind of request that a worker can make, and posts the responses. */
const REQUESTS = `
  importScripts("${SITE}/lib.js"); postMessage(self.lib);
  const request = new XMLHttpRequest(); request.open("GET", "${SITE}/sync.txt", false); request.send(); postMessage(request.responseText);
  fetch("${SITE}/data.txt").then((response) => response.text()).catch((error) => error.name).then(postMessage).then(() => postMessage("done"))`;

const moved: Record<string, string> = { [`${SITE}/old.js`]: `${SITE}/deep/worker.js` };
const files: Record<string, [type: string, body: string]> = {
  '/lib.js': ['text/javascript', 'self.lib = "imported"'],
  '/deep/lib.js': ['text/javascript', 'self.lib = "deeply imported"'],
  '/sync.txt': ['text/plain', 'waited'],
  '/data.txt': ['text/plain', 'fetched'],
  '/worker.js': ['text/javascript', REQUESTS],
  '/module.js': [
    'text/javascript',
    'import { value } from "./value.js"; postMessage(value); postMessage("done")',
  ],
  '/value.js': ['text/javascript', 'export const value = "moduled"'],
  '/deep/worker.js': [
    'text/javascript',
    'importScripts("lib.js"); postMessage(self.lib); postMessage("done")',
  ],
};

let engine: PdfEngine;
let requested: string[] = [];

function serve({ url }: ResourceRequest): Promise<Resource | ResourceFailure> {
  requested.push(url);
  const location = moved[url];
  if (location !== undefined)
    return Promise.resolve({ url, status: 302, headers: [['location', location]], body: Buffer.alloc(0) });
  const { origin, pathname, searchParams } = new URL(url);
  const frame = searchParams.get('frame');
  const [type, body] = frame === null ? (files[pathname] ?? []) : ['text/html', frame];
  return Promise.resolve(
    type === undefined || body === undefined || origin !== SITE
      ? NOT_SERVED
      : { url, status: 200, headers: [['content-type', type]], body: Buffer.from(body) },
  );
}

before(async () => {
  engine = await shareEngine(() => serve);
});

/** Returns what a worker of the document posts. */
async function say(constructor: string): Promise<string> {
  requested = [];
  const { pdf } = await generate(engine, {
    html: listening(constructor),
    base_url: `${SITE}/`,
    wait_for: '#done',
  });
  return (await readPdf(pdf)).pages[0]?.text.replace(/\s+/g, ' ').trim() ?? '';
}

/** Returns what a worker of a frame posts. */
async function sayInFrame(constructor: string): Promise<string> {
  requested = [];
  const frame = `${listening(constructor)}<script>new MutationObserver(() => parent.postMessage(done.textContent, "*")).observe(document, { subtree: true, attributes: true })</script>`;
  const { pdf } = await generate(engine, {
    html: `<pre id=q></pre><script>onmessage = ({ data }) => { q.append(data); q.id = "done" }</script><iframe hidden src="${SITE}/?frame=${encodeURIComponent(frame)}"></iframe>`,
    wait_for: '#done',
  });
  assert.ok(requested.shift()?.startsWith(`${SITE}/?frame=`));
  return (await readPdf(pdf)).pages[0]?.text.replace(/\s+/g, ' ').trim() ?? '';
}

const ALL = [`${SITE}/lib.js`, `${SITE}/sync.txt`, `${SITE}/data.txt`];

void describe('what a worker asks for', () => {
  void it('goes the way of all that the document asks for, from a worker within a worker too', async () => {
    const nested = `const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(REQUESTS)}]))); worker.onmessage = ({ data }) => postMessage(data)`;
    for (const source of [REQUESTS, nested]) {
      assert.equal(await say(`new Worker(${blob(source)})`), 'said: imported waited fetched');
      assert.deepEqual(requested, ALL);
    }
    assert.equal(
      await say(`new Worker("data:text/javascript,"+${JSON.stringify(encodeURIComponent(REQUESTS))})`),
      'said: imported waited fetched',
    );
    assert.deepEqual(requested, ALL);
  });

  void it('leaves a gap if it cannot be fetched', async () => {
    assert.equal(
      await say(
        `new Worker(${blob(`fetch("${OTHER}/data.txt").catch((error) => error.name).then(postMessage).then(() => postMessage("done"))`)})`,
      ),
      'said: TypeError',
    );
    assert.deepEqual(requested, [`${OTHER}/data.txt`]);
    assert.equal(await say(`new Worker(${blob(`importScripts("${OTHER}/lib.js")`)})`), 'said: error');
  });

  void it('the worker itself comes from its address, also in a frame and over a redirect', async () => {
    assert.equal(await say('new Worker("worker.js")'), 'said: imported waited fetched');
    assert.deepEqual(requested, [`${SITE}/worker.js`, ...ALL]);
    assert.equal(await say('new Worker("old.js")'), 'said: deeply imported');
    assert.equal(await say(`new Worker("${OTHER}/worker.js")`), 'said: SecurityError');
    assert.equal(await sayInFrame('new Worker("worker.js")'), 'said: imported waited fetched');
    assert.deepEqual(requested, [`${SITE}/worker.js`, ...ALL]);
    assert.equal(await sayInFrame('new Worker("module.js", { type: "module" })'), 'said: moduled');
    assert.deepEqual(requested, [`${SITE}/module.js`, `${SITE}/value.js`]);
    assert.equal(await sayInFrame('new Worker("old.js")'), 'said: deeply imported');
    assert.deepEqual(requested, [`${SITE}/old.js`, `${SITE}/deep/worker.js`, `${SITE}/deep/lib.js`]);
  });

  void it('is refused to shared workers, which belong to no one document', async () => {
    assert.equal(await say('new SharedWorker("data:text/javascript,")'), 'said: ReferenceError');
    const frame = '<script>parent.postMessage(typeof SharedWorker, "*")</script>';
    const { pdf } = await generate(engine, {
      html: `<p id=p><script>onmessage = ({ data }) => p.append(data)</script><iframe hidden srcdoc='${frame}'></iframe>`,
    });
    assert.equal((await readPdf(pdf)).pages[0]?.text, 'undefined');
    assert.deepEqual(requested, []);
  });
});

/** Starts workers that stay, and counts those that run. */
const crowd = (count: number, source: string): string =>
  `<p id=p>0</p><script>for (let i = 0; i < ${count}; i++) new Worker(${blob(source)}).onmessage = () => { p.textContent = Number(p.textContent) + 1 }</script>`;
const TOO_MANY = 'The document has more than 16 workers at a time: the others did not start.';

void describe('workers of one document', () => {
  const count = async (html: string, body: object = {}): Promise<[string | undefined, string[]]> => {
    const { pdf, warnings } = await generate(engine, { html, ...body });
    return [(await readPdf(pdf)).pages[0]?.text, warnings];
  };

  void it('are at most 16: the others do not start, and a warning says so', async () => {
    assert.deepEqual(await count(crowd(16, 'postMessage(1)')), ['16', []]);
    assert.deepEqual(await count(crowd(40, 'postMessage(1)')), ['16', [TOO_MANY]]);
    const strict = generate(engine, { html: crowd(17, 'postMessage(1)'), strict: true });
    await assert.rejects(strict, { code: 'render_failed', message: /more than 16 workers/ });
    // All of its workers end, so the page could be kept for the next document.
    assert.deepEqual((await count(crowd(40, 'setTimeout(close, 100)')))[1], [TOO_MANY]);
    assert.deepEqual(await count(crowd(3, 'postMessage(1)')), ['3', []]);
  });

  void it('are at most 16 together with the workers of workers, and of frames', async () => {
    const nested = `postMessage(1); for (let i = 0; i < 9; i++) new Worker(URL.createObjectURL(new Blob(["postMessage(1)"]))).onmessage = () => postMessage(1)`;
    assert.deepEqual(await count(crowd(5, nested)), ['16', [TOO_MANY]]);
    const inFrame = `<p id=p>0</p><script>onmessage = () => { p.textContent = Number(p.textContent) + 1 }</script>${'<iframe hidden srcdoc="<script>for (let i = 0; i < 9; i++) new Worker(URL.createObjectURL(new Blob([`postMessage(1)`]))).onmessage = () => parent.postMessage(1, `*`)</script>"></iframe>'.repeat(2)}`;
    assert.deepEqual(await count(inFrame), ['16', [TOO_MANY]]);
  });

  void it('are at most 16 too if each document has a process of its own', async () => {
    await using own = await openEngine({ processPerDocument: true });
    const { pdf, warnings } = await generate(own, { html: crowd(40, 'postMessage(1)') });
    assert.deepEqual([(await readPdf(pdf)).pages[0]?.text, warnings], ['16', [TOO_MANY]]);
  });

  void it('may be any number one after the other', async () => {
    const html = `<p id=p>0</p><script>(function next() { const worker = new Worker(${blob('postMessage(1)')}); worker.onmessage = () => { worker.terminate(); p.textContent = Number(p.textContent) + 1; if (p.textContent < 20) next() } })()</script>`;
    assert.deepEqual(await count(html), ['20', []]);
  });

  void it('do not hold the time of a document, whether they close themselves or were refused', async () => {
    for (const number of [3, 16, 17]) {
      const startedAt = performance.now();
      const [text] = await count(crowd(number, 'postMessage(1); close()'));
      assert.equal(text, String(Math.min(16, number)));
      // Its real time would end after 45 s.
      assert.ok(performance.now() - startedAt < 30_000);
    }
  });

  void it('are counted without worklets, which run, and without service workers, which do not', async () => {
    const html = `<p id=p></p><script>(async () => {
      const context = new OfflineAudioContext(1, 128, 48000);
      await context.audioWorklet.addModule(${blob('registerProcessor("one", class extends AudioWorkletProcessor { process(i, [[o]]) { o.fill(1); return false } })')});
      new AudioWorkletNode(context, 'one').connect(context.destination);
      p.append((await context.startRendering()).getChannelData(0)[0], ' ');
      await navigator.serviceWorker.register('/worker.js').catch((error) => p.append(error.name));
    })()</script>`;
    for (const body of [{}, { base_url: `${SITE}/` }])
      assert.deepEqual((await count(html, { ...body, wait_for: 'p:not(:empty)' }))[0], '1 TypeError');
  });
});
