import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { PdfEngine } from '#pdf';
import { invoice } from './documents/invoice.ts';
import { isFullRun, sample } from '../support/sample.ts';
import { measureSlowness } from './support/measure-slowness.ts';
import { generate, openEngine } from './support/open-engine.ts';

/** The deadline of a document in the service. */
const TIMEOUT_MS = 10_000;
/** The deadline of attacks that may reach it. It is met in the same way, however long it is. */
const SHORT_TIMEOUT_MS = isFullRun ? TIMEOUT_MS : 1_000;
/** An attack ends so long after its deadline at the latest, with the work that its end takes. */
const END_MS = 1_000;
const RENDERER_MEMORY_MB = 600;
const READY_MS = 5_000;
/** Load that begins in the middle of a round can make it fail; a fault of the engine fails each round. */
const MAX_ROUNDS = 3;

/** Engines whose deadlines suit the speed of the machine at the time when they were opened. */
interface Engines extends AsyncDisposable {
  /** The factor by which other processes slowed down the machine; at least 1. */
  slowness: number;
  patient: PdfEngine;
  impatient: PdfEngine;
}

let engines: Engines;

async function useEngine<T>(work: (engine: PdfEngine) => Promise<T>): Promise<T> {
  await using engine = await openEngine({ slots: 1 });
  return await work(engine);
}

async function openEngines(): Promise<Engines> {
  const slowness = await useEngine(measureSlowness);
  const options = { rendererMemoryMb: RENDERER_MEMORY_MB, slots: 2 };
  await using stack = new AsyncDisposableStack();
  const patient = stack.use(await openEngine({ ...options, timeoutMs: TIMEOUT_MS * slowness }));
  const impatient = stack.use(await openEngine({ ...options, timeoutMs: SHORT_TIMEOUT_MS * slowness }));
  const opened = stack.move();
  return { slowness, patient, impatient, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

before(async () => {
  engines = await openEngines();
});
after(() => engines[Symbol.asyncDispose]());

type Outcome = 'pdf' | 'timeout' | 'render_failed' | 'invalid_parameter';

/**
 * Hostile documents and how they may end: soon after their deadline, and without harm to other documents.
 * Without TEST_FULL=1, a fifth of each kind of end runs.
 */
const ATTACKS: [name: string, html: string, outcomes: Outcome[]][] = [
  ['an endless loop', '<script>while(1);</script>', ['timeout']],
  ['an endless loop after loading', '<body onload="setTimeout(()=>{while(1);})">', ['timeout', 'pdf']],
  ['endless microtasks', '<script>(function f(){Promise.resolve().then(f)})()</script>', ['timeout']],
  ['catastrophic regular expression', '<script>/^(a+)+$/.test("a".repeat(60)+"!")</script>', ['timeout']],
  ['alert storm', '<script>while(1)alert(1)</script>', ['render_failed']],
  ['a few dialogs', '<p>x<script>alert(1);confirm(2);prompt(3)</script>', ['pdf']],
  ['print() and beforeunload', '<p>x<script>onbeforeunload=()=>1;print()</script>', ['pdf']],
  ['closing itself', '<p>x<script>window.close()</script>', ['render_failed', 'pdf']],
  ['navigation to http', '<p>x<script>location="http://10.0.0.5/"</script>', ['render_failed']],
  ['navigation to a file', '<p>x<script>location="file:///etc/passwd"</script>', ['pdf']],
  ['navigation to data:', '<p>x<script>location="data:text/html,gone"</script>', ['pdf', 'render_failed']],
  ['navigation to about:blank', '<p>x<script>location="about:blank"</script>', ['render_failed', 'pdf']],
  ['reload', '<p>x<script>location.reload()</script>', ['render_failed', 'pdf']],
  ['meta refresh', '<meta http-equiv=refresh content="0;url=http://10.0.0.5/"><p>x', ['pdf']],
  [
    'form submission',
    '<form action="http://10.0.0.5/" id=f></form><script>f.submit()</script>',
    ['render_failed'],
  ],
  ['window.stop()', '<p>x<script>window.stop()</script><p>y', ['pdf']],
  [
    'window.stop(), and a form in the place of document.readyState',
    '<form name=readyState></form><script>window.stop()</script>',
    ['pdf'],
  ],
  [
    'document.open()',
    '<p>x<script>onload=()=>{document.open();document.write("z");document.close()}</script>',
    ['pdf'],
  ],
  [
    'document.open() never closed',
    '<p>x<script>onload=()=>{document.open();document.write("z")}</script>',
    ['pdf', 'timeout'],
  ],
  ['2,000 windows', '<script>for(let i=0;i<2000;i++)window.open("about:blank")</script>', ['pdf']],
  [
    'popups by form',
    '<form target=_blank action="http://10.0.0.5/" id=f></form><script>for(let i=0;i<50;i++)f.submit()</script>',
    ['pdf'],
  ],
  [
    '500 busy workers',
    '<script>for(let i=0;i<500;i++)new Worker(URL.createObjectURL(new Blob(["while(1);"])))</script>',
    ['pdf', 'timeout', 'render_failed'],
  ],
  [
    'array buffers without end',
    '<script>const a=[];while(1){const b=new Uint8Array(5e7);b.fill(1);a.push(b)}</script>',
    ['render_failed', 'timeout'],
  ],
  [
    'a heap without end',
    '<script>const a=[];while(1)a.push(new Array(1e5).fill(Math.random()))</script>',
    ['render_failed', 'timeout'],
  ],
  [
    'nodes without end',
    '<script>while(1)document.body?.append(document.createElement("p"),"x".repeat(1e4))||document.write("<body>")</script>',
    ['render_failed', 'timeout'],
  ],
  [
    'WebAssembly memory',
    '<script>const m=[];while(1){const x=new WebAssembly.Memory({initial:1000});new Uint8Array(x.buffer).fill(1);m.push(x)}</script>',
    ['render_failed', 'timeout', 'pdf'],
  ],
  [
    'canvases without end',
    '<script>const a=[];while(1){const c=document.createElement("canvas");c.width=c.height=8000;c.getContext("2d").fillRect(0,0,8000,8000);a.push(c)}</script>',
    ['render_failed', 'timeout'],
  ],
  ['100,000 nested elements', '<div>'.repeat(100_000), ['render_failed', 'timeout', 'pdf']],
  ['2,000 nested tables', '<table><tr><td>'.repeat(2_000), ['render_failed', 'timeout', 'pdf']],
  ['100,000 page breaks', '<p style="break-after:page">x'.repeat(100_000), ['timeout', 'render_failed']],
  ['a page of 1e9 px', '<div style="height:1e9px">x</div>', ['timeout', 'render_failed', 'pdf']],
  ['a giant @page', '<style>@page{size:1000in 1000in}</style>x', ['render_failed']],
  ['a tiny @page', '<style>@page{size:0.001in}</style>x', ['pdf', 'render_failed', 'timeout']],
  ['giant @page margins', '<style>@page{margin:1000in}</style>x', ['pdf', 'render_failed']],
  ['negative @page margins', '<style>@page{margin:-5mm}</style>x', ['pdf']],
  ['100,000 columns', '<div style="columns:100000">x</div>', ['pdf', 'timeout', 'render_failed']],
  [
    'SVG use, doubled 30 times',
    `<svg>${Array.from({ length: 30 }, (_, i) => `<g id="a${i}">${i === 0 ? '<rect width="1" height="1"/>' : `<use href="#a${i - 1}"/><use href="#a${i - 1}"/>`}</g>`).join('')}</svg>`,
    ['timeout', 'render_failed', 'pdf'],
  ],
  [
    'blur of everything',
    '<div style="filter:blur(500px);width:9000px;height:9000px;background:red">x</div>'.repeat(50),
    ['pdf', 'timeout', 'render_failed'],
  ],
  [
    'WebGL',
    '<canvas id=c></canvas><script>const g=c.getContext("webgl");document.write(g?"webgl":"none")</script>',
    ['pdf'],
  ],
  [
    'chrome: pages',
    '<p>x<iframe src="chrome://crash"></iframe><script>location="chrome://hang"</script>',
    ['pdf'],
  ],
  [
    'service worker',
    '<p>x<script>navigator.serviceWorker?.register("/x.js").catch(()=>{})</script>',
    ['pdf'],
  ],
  ['5 MB without a blank', 'x'.repeat(5_000_000), ['pdf', 'timeout']],
  [
    'downloads',
    '<a id=a href="data:application/octet-stream,x" download="x">x</a><script>for(let i=0;i<50;i++)a.click()</script>',
    ['pdf'],
  ],
  [
    'a Content-Security-Policy of its own',
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'"><p>x',
    ['pdf'],
  ],
  [
    'blobs without end',
    '<p>x<script>const a=[];setInterval(()=>{for(let i=0;i<4;i++)a.push(new Blob([new Uint8Array(3e7)]))},1)</script><script>onload=()=>fetch("http://10.0.0.5/")</script>',
    ['pdf', 'timeout', 'render_failed'],
  ],
  [
    'requests without end',
    '<p>x<script>for(let i=0;i<3e5;i++)fetch("http://10.0.0.5/"+i).catch(()=>{})</script>',
    ['render_failed', 'timeout'],
  ],
  [
    'giant requests',
    '<p>x<script>const u="x".repeat(1e6);for(let i=0;i<500;i++)fetch("http://10.0.0.5/"+i,{method:"POST",body:u}).catch(()=>{})</script>',
    ['render_failed', 'timeout', 'pdf'],
  ],
  [
    'frames without end',
    '<p>x<script>for(let i=0;i<1e5;i++){const f=document.createElement("iframe");document.body.append(f)}</script>',
    ['render_failed', 'timeout', 'pdf'],
  ],
  [
    'an endless image stream',
    '<script>setInterval(()=>{new Image().src="http://10.0.0.5/"+Math.random()},1)</script><p>x',
    ['pdf'],
  ],
  [
    'a frame that blocks its parent',
    '<iframe srcdoc="<script>parent.document.body.append(1);while(1);</script>"></iframe>',
    ['timeout', 'pdf'],
  ],
  ['mutation while printing', '<p id=p>x<script>onbeforeprint=()=>{while(1);}</script>', ['timeout', 'pdf']],
];

/** Each of these runs until its deadline, and another attack covers the same limit. */
const SLOW = new Set(
  [
    'an endless loop after loading',
    'endless microtasks',
    'catastrophic regular expression',
    'canvases without end',
    'a page of 1e9 px',
    'SVG use, doubled 30 times',
    'blur of everything',
    '5 MB without a blank',
    'a frame that blocks its parent',
    'giant requests',
  ].filter(() => !isFullRun),
);

/** Renders an attack and a good document at once. Rejects unless both end as they should, in time. */
async function renderBoth(html: string, outcomes: Outcome[]): Promise<void> {
  const { slowness } = engines;
  const [engine, timeoutMs] = outcomes.includes('timeout')
    ? [engines.impatient, SHORT_TIMEOUT_MS]
    : [engines.patient, TIMEOUT_MS];
  const startedAt = performance.now();
  // With a selector, the deadline is that of the engine, also if the machine is slow.
  const attack = generate(engine, { html, wait_for: 'html' }, 'attacker')
    .then(
      () => 'pdf',
      (error: { code?: string }) => error.code ?? 'unknown',
    )
    .then((outcome) => ({ outcome, ms: performance.now() - startedAt }));
  const good = await generate(engine, { html: invoice() }, 'victim').catch((error: Error) => error);
  const { outcome, ms } = await attack;
  if (good instanceof Error) throw good;
  assert.equal(good.pages, 1);
  assert.ok(
    outcomes.some((one) => one === outcome),
    `${outcome} is none of ${outcomes.join(', ')}`,
  );
  assert.ok(ms < (timeoutMs + END_MS) * slowness, `in time, not after ${ms} ms`);
  // A browser whose own memory was filled is replaced.
  for (const endsAt = performance.now() + READY_MS * slowness; !engine.status().ready;) {
    assert.ok(performance.now() < endsAt, 'the browser is ready again');
    await wait(20);
  }
}

/** Repeats a round that fails, with engines for the load that the machine has by then. */
async function assertHarmless(html: string, outcomes: Outcome[]): Promise<void> {
  for (let round = 1; ; round += 1) {
    try {
      await renderBoth(html, outcomes);
      return;
    } catch (error) {
      if (round === MAX_ROUNDS) throw error;
      await engines[Symbol.asyncDispose]();
      engines = await openEngines();
    }
  }
}

void describe('a hostile document', () => {
  for (const [name, html, outcomes] of sample(
    ATTACKS.filter(([name]) => !SLOW.has(name)),
    5,
    ([, , outcomes]) => outcomes.toSorted().join(),
  ))
    void it(`${name}: ends in ${outcomes.join(' or ')}, and a good document beside it is printed`, () =>
      assertHarmless(html, outcomes));
});
