/** Pages of the web in the browser: their scripts run, and their requests get what their servers answer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createPageRenderer,
  type PageRequest,
  type Resource,
  type ResourceBudget,
  type ResourceRequest,
} from '#browser';
import type { RenderOutcome } from '#metadata';
import { isFullRun, sampleTests } from '../support/sample.ts';
import { openSlots, type TestCaller, type TestSlots } from './open-slots.ts';
import { patientMs, scaledMs } from '../support/patience.ts';

const it = sampleTests(3);
/** Much more than may be read of a page. */
const TEXT_MB = isFullRun ? 100 : 20;

const URL_A = 'https://a.example/page?q#part';
type Answer = Partial<Omit<Resource, 'body'>> & { body?: string };

let slots: TestSlots;
let slotFreed: Promise<unknown> = Promise.resolve();

before(async () => {
  slots = await openSlots({
    withSlot: async (_caller, signal, work) => {
      await slotFreed;
      return work(signal ?? new AbortController().signal);
    },
  });
});
after(() => slots.close());

interface Rendered {
  outcome: RenderOutcome;
  title: string | null;
  /** The method and URL of each request. */
  requests: string[];
  sent: ResourceRequest[];
  budget: ResourceBudget | undefined;
}

type Options = Partial<PageRequest> & {
  answers?: Record<string, Answer | Promise<Answer>>;
  signal?: AbortSignal;
};

/** Renders a page; `answers` are the responses to its requests by URL. Others are status 404. */
async function render(html: string, { answers = {}, signal, ...options }: Options = {}): Promise<Rendered> {
  const sent: ResourceRequest[] = [];
  let budget: ResourceBudget | undefined;
  const renderPage = createPageRenderer<TestCaller>({
    slots,
    openResourceFetcher: (limits) => {
      budget = limits;
      return async (request, ended = new AbortController().signal) => {
        sent.push(request);
        const canceled = once(ended, 'abort').then((): never => ended.throwIfAborted() as never);
        const answer = await Promise.race([answers[request.url], canceled]);
        const { status = 200, headers = [], body = '' } = answer ?? { status: 404 };
        return { url: request.url, status, headers, body: Buffer.from(body) };
      };
    },
    rendererMemoryMb: 600,
    now: () => performance.now(),
  });
  const outcome = await renderPage(
    {
      url: URL_A,
      status: 200,
      headers: new Map(),
      contentType: 'text/html; charset=utf-8',
      body: Buffer.from(html),
      reach: 'public',
      mayNavigate: true,
      timeoutMs: patientMs(15_000),
      budget: { requests: 100, bytes: 5 * 1024 * 1024 },
      ...options,
    },
    { accountId: 'a' },
    signal,
  );
  const title =
    outcome.kind === 'document' ? (/<title>(.*?)<\/title>/s.exec(outcome.html)?.[1] ?? null) : null;
  return { outcome, title, requests: sent.map(({ method, url }) => `${method} ${url}`), sent, budget };
}

const js = (body: string): Answer => ({ headers: [['content-type', 'text/javascript']], body });
const cors = (body: string, origin = '*'): Answer => ({
  headers: [['access-control-allow-origin', origin]],
  body,
});
/** A page whose title becomes what the promise of the expression resolves or rejects with. */
const tell = (expression: string): string =>
  `<head><script type=module>const tell = (text) => document.title = text; Promise.resolve().then(() => ${expression}).then(tell, tell)</script></head>`;

describe('a page of the web', () => {
  it('is read when its scripts have drawn it: after timers, requests and modules that they load', async () => {
    const { outcome, title, requests } = await render(
      `<div id=root></div><script type=module src=/app.js></script>`,
      {
        answers: {
          'https://a.example/app.js': js(
            `const { t } = await (await fetch('/api')).json(); setTimeout(async () => { const { u } = await import('/late.js'); document.title = '' + t + u; root.innerHTML = '<p>drawn'; }, 2000)`,
          ),
          'https://a.example/api': { headers: [['content-type', 'application/json']], body: '{"t":1}' },
          'https://a.example/late.js': js('export const u = 2'),
        },
      },
    );
    assert.equal(title, '12', JSON.stringify(outcome));
    assert.match(JSON.stringify(outcome), /<p>drawn<\/p>/);
    assert.deepEqual(
      requests,
      ['app.js', 'api', 'late.js'].map((name) => `GET https://a.example/${name}`),
    );
  });

  it('has at most 16 workers', async () => {
    const { title } = await render(
      `<script>let n = 0; const url = URL.createObjectURL(new Blob(['postMessage(1)'])); for (let i = 0; i < 40; i++) new Worker(url).onmessage = () => { document.title = ++n }</script>`,
    );
    assert.equal(title, '16');
  });

  it('has its URL with the fragment, and the URL that its scripts set', async () => {
    const { outcome, title } = await render(
      `${tell('location.href')}<script>addEventListener('load', () => history.pushState(null, '', '/own?x'))</script>`,
    );
    assert.equal(title, URL_A);
    assert.equal(outcome.kind === 'document' && outcome.url, 'https://a.example/own?x');
  });

  it('is decoded by its charset, and shown whatever its status', async () => {
    const { title } = await render('', {
      body: Buffer.from('<title>Caf\xe9</title>', 'latin1'),
      contentType: 'text/html; charset=windows-1252',
      status: 404,
    });
    assert.equal(title, 'Café');
  });

  it('keeps to its own policies', async () => {
    const policy = "script-src 'self'";
    const { title } = await render(
      '<title>a</title><script>document.title = "inline"</script><script src=/b.js></script>',
      {
        headers: new Map([['content-security-policy', policy]]),
        answers: { 'https://a.example/b.js': js('document.title += "b"') },
      },
    );
    assert.equal(title, 'ab');
  });

  it('opens in its own process, whatever policy for openers it declares', async () => {
    const headers = new Map([
      ['cross-origin-opener-policy', 'same-origin'],
      ['cross-origin-embedder-policy', 'require-corp'],
      ['origin-agent-cluster', '?1'],
      ['content-disposition', 'attachment'],
      ['refresh', '0;url=/x'],
      ['link', '</x.css>;rel=preload;as=style'],
    ]);
    const { title, requests } = await render('<title>a</title>', { headers });
    assert.deepEqual([title, requests], ['a', []]);
  });

  it('has a budget for all of its requests, of which it is the first, and its own reach', async () => {
    for (const reach of ['public', 'opened'] as const) {
      const { budget } = await render('x'.repeat(1024), { reach });
      assert.deepEqual(
        { ...budget, timeoutMs: 0 },
        {
          maxBytes: 5 * 1024 * 1024,
          maxRequests: 100,
          left: { bytes: 5 * 1024 * 1024 - 1024, requests: 99 },
          isReadOnly: true,
          reach,
          timeoutMs: 0,
        },
      );
    }
  });

  it('goes on without a response that does not come', async () => {
    const hangs = new Promise<Answer>(() => {});
    const html = `<title>a</title><script>document.title = 'b'; fetch('/never').catch(() => { document.title += ', failed' })</script>`;
    const answers = { 'https://a.example/never': hangs };
    const { title, outcome } = await render(html, { answers, timeoutMs: patientMs(2_000) });
    assert.equal(title, 'b, failed', 'its request fails in its share of the time');
    assert.equal(outcome.kind === 'document' && outcome.isIncomplete, true);
  });

  it('waits for a slow response in the time that it has', async () => {
    const slow = delay(5_500, js('late'));
    const { title, outcome } = await render(tell(`fetch('/slow').then((response) => response.text())`), {
      answers: { 'https://a.example/slow': slow },
      timeoutMs: patientMs(20_000),
    });
    assert.equal(title, 'late');
    assert.equal(outcome.kind === 'document' && outcome.isIncomplete, false);
  });

  it('sees the User-Agent and the languages of the request, and so do the requests of its scripts', async () => {
    const agent = 'Mozilla/5.0 (compatible; TestBot/1.0)';
    const { title, budget } = await render(tell('navigator.userAgent + " | " + navigator.languages'), {
      userAgent: agent,
      language: 'de-CH, de;q=0.9, fr;q=0, *;q=0.1',
    });
    assert.equal(title, `${agent} | de-CH,de`);
    assert.deepEqual([budget?.userAgent, budget?.language], [agent, 'de-CH, de;q=0.9, fr;q=0, *;q=0.1']);
  });

  it('has failed if its time is over, also while it waits for its slot', async () => {
    const startedAt = performance.now();
    assert.equal((await render('<script>for(;;);</script>', { timeoutMs: 700 })).outcome.kind, 'failed');
    slotFreed = new Promise((resolve) => setTimeout(resolve, 600));
    assert.equal((await render('a', { timeoutMs: 1 })).outcome.kind, 'failed');
    slotFreed = Promise.resolve();
    assert.ok(performance.now() - startedAt < scaledMs(5_000));
  });

  it('ends with the signal', async () => {
    const client = new AbortController();
    const rendering = render('<script>for(;;);</script>', { signal: client.signal });
    setTimeout(() => client.abort(new Error('left')), 200);
    await assert.rejects(rendering, /left/);
  });
});

describe('a script that leads to another page', () => {
  for (const [name, html, url] of [
    ['sets the location', '<script>location = "/next?a#b"</script>', 'https://a.example/next?a#b'],
    [
      'replaces the page, after a while',
      '<script>setTimeout(() => location.replace("http://b.example/"), 4000)</script>',
      'http://b.example/',
    ],
    [
      'writes a refresh',
      `<script>document.write('<meta http-equiv=refresh content="0;url=/r">')</script>`,
      'https://a.example/r',
    ],
    ['clicks a link', '<a id=a href=/link>x</a><script>a.click()</script>', 'https://a.example/link'],
    [
      'submits a form by GET',
      '<form id=f action=/form><input name=a value=b></form><script>f.submit()</script>',
      'https://a.example/form?a=b',
    ],
  ] as const)
    it(`${name}: its URL is the outcome, and it is not requested`, async () => {
      const { outcome, requests } = await render(html);
      assert.deepEqual(outcome, { kind: 'navigation', url });
      assert.deepEqual(requests, []);
    });

  it('stays if it may not navigate, and goes on', async () => {
    const html = '<script>location = "/next"; setTimeout(() => document.title = "here", 500)</script>';
    assert.equal((await render(html, { mayNavigate: false })).title, 'here');
  });

  it('stays if the URL has more than 4,096 characters', async () => {
    const html = (length: number): string =>
      `<title>a</title><script>location = 'https://b.example/#'.padEnd(${length}, 'x')</script>`;
    assert.equal((await render(html(4_097))).title, 'a');
    assert.equal((await render(html(4_096))).outcome.kind, 'navigation');
  });

  it('stays if it only reloads itself', async () => {
    const html = '<title>a</title><script>location.reload(); location.href = location.href</script>';
    assert.equal((await render(html)).title, 'a');
  });

  for (const [name, statement] of [
    ['a file', 'location = "file:///etc/passwd"'],
    ['a page of the browser', 'location = "chrome://version"'],
    ['a data: URL', 'location = "data:text/html,<title>b</title>"'],
    ['a view of its source', 'location = "view-source:https://a.example/"'],
    ['another scheme', 'location = "ftp://b.example/"'],
    [
      'a form that it posts',
      'const f = document.createElement("form"); f.method = "post"; f.action = "/p"; document.head.append(f); f.submit()',
    ],
    ['another window', 'open("/other"); open("https://b.example/", "x")'],
    [
      'a window by a link',
      'const a = document.createElement("a"); a.href = "/x"; a.target = "_blank"; document.head.append(a); a.click()',
    ],
    [
      'a download',
      'const a = document.createElement("a"); a.href = "data:text/plain,x"; a.download = "x"; a.click()',
    ],
    ['the page before', 'history.back()'],
    ['a print', 'print()'],
  ])
    it(`leads nowhere: ${name}`, async () => {
      const { title, requests } = await render(`<title>a</title><script>${statement}</script>`);
      assert.deepEqual([title, requests], ['a', []]);
    });

  for (const target of ['about:blank', 'blob:'])
    it(`leads away from what can be read: ${target}`, async () => {
      const url =
        target === 'blob:'
          ? 'URL.createObjectURL(new Blob(["<title>b</title>"], { type: "text/html" }))'
          : `"${target}"`;
      assert.equal(
        (await render(`<title>a</title><script>location = ${url}</script>`)).outcome.kind,
        'failed',
      );
    });
});

describe('a request of a page', () => {
  it('is GET or HEAD, and for what scripts need', async () => {
    const { requests, title } = await render(
      `<link rel=stylesheet href=/a.css><link rel=preload as=image href=/p.png><link rel=prefetch href=/p2><link rel=preload as=font crossorigin href=/p.woff2>
      <link rel=manifest href=/m.json><link rel=icon href=/favicon.ico>
      <style>@font-face{font-family:x;src:url(/f.woff2)} body{font-family:x;background:url(/bg.png)}</style>
      <body>text<img src=/i.png srcset="/i2.png 2x"><video src=/v.mp4 poster=/v.png></video><audio src=/a.mp3></audio><iframe src=/frame></iframe><iframe srcdoc="<script>fetch('/srcdoc',{method:'POST'})</script>"></iframe><object data=/o></object><embed src=/e>
      <script type=module>
        const log = [];
        const end = (name, promise) => promise.then(() => log.push(name + '+'), () => log.push(name + '-'));
        navigator.sendBeacon('/beacon', 'x');
        const link = document.createElement('a'); link.href = '#x'; link.ping = '/ping'; link.click();
        await end('socket', new Promise((resolve, reject) => { const socket = new WebSocket('wss://a.example/s'); socket.onopen = resolve; socket.onerror = reject; }));
        await end('events', new Promise((resolve, reject) => { const source = new EventSource('/events'); source.onopen = resolve; source.onerror = reject; }));
        await end('post', fetch('/post', { method: 'POST', body: 'x' }));
        await end('put', fetch('/put', { method: 'PUT' }));
        await end('head', fetch('/head', { method: 'HEAD' }));
        await end('worker', navigator.serviceWorker.register('/sw.js'));
        document.title = log.join(' ');
      </script>`,
      {
        answers: {
          'https://a.example/head': {},
          'https://a.example/a.css': { headers: [['content-type', 'text/css']] },
        },
      },
    );
    assert.deepEqual(requests, ['GET https://a.example/a.css', 'HEAD https://a.example/head']);
    assert.equal(title, 'socket- events- post- put- head+ worker-');
  });

  it('carries no cookies, and no response sets one', async () => {
    const { title, sent } = await render(
      tell(
        `{ document.cookie = 'a=1'; return fetch('/set', { credentials: 'include' }).then(() => fetch('/get', { credentials: 'include' })).then(() => document.cookie) }`,
      ),
      {
        answers: {
          'https://a.example/set': { headers: [['set-cookie', 'b=2']] },
          'https://a.example/get': {},
        },
      },
    );
    assert.equal(title, 'a=1');
    assert.ok(sent.every(({ headers }) => !Object.keys(headers).some((name) => /^cookie$/i.test(name))));
  });

  for (const [name, expression, answers, expected] of [
    [
      'is readable from its own origin',
      `fetch('/x').then((r) => r.text())`,
      { 'https://a.example/x': { body: 'own' } },
      /^own$/,
    ],
    [
      'is not readable from another origin that does not allow it',
      `fetch('https://b.example/x').then((r) => r.text())`,
      { 'https://b.example/x': { body: 'secret' } },
      /Failed to fetch/,
    ],
    [
      'is not readable from an origin that allows only others',
      `fetch('https://b.example/x').then((r) => r.text())`,
      { 'https://b.example/x': cors('secret', 'https://c.example') },
      /Failed to fetch/,
    ],
    [
      'is readable from an origin that allows it',
      `fetch('https://b.example/x').then((r) => r.text())`,
      { 'https://b.example/x': cors('open', 'https://a.example') },
      /^open$/,
    ],
    [
      'with credentials needs an origin that allows them',
      `fetch('https://b.example/x', { credentials: 'include' }).then((r) => r.text())`,
      { 'https://b.example/x': cors('secret') },
      /Failed to fetch/,
    ],
    [
      'without CORS is opaque',
      `fetch('https://b.example/x', { mode: 'no-cors' }).then((r) => r.text()).then((t) => 'empty' + t)`,
      { 'https://b.example/x': { body: 'secret' } },
      /^empty$/,
    ],
    [
      'that needs a preflight to another origin fails',
      `fetch('https://b.example/x', { headers: { 'x-a': '1' } }).then((r) => r.text())`,
      { 'https://b.example/x': cors('secret') },
      /Failed to fetch/,
    ],
    [
      'as XMLHttpRequest keeps to the same rule',
      `new Promise((resolve) => { const x = new XMLHttpRequest(); x.onloadend = () => resolve('status' + x.status); x.open('GET', 'https://b.example/x'); x.send() })`,
      { 'https://b.example/x': { body: 'secret' } },
      /^status0$/,
    ],
    [
      'follows redirects, each by the rule',
      `fetch('/r').then((r) => r.text())`,
      {
        'https://a.example/r': { status: 302, headers: [['location', 'https://b.example/x']] },
        'https://b.example/x': { body: 'secret' },
      },
      /Failed to fetch/,
    ],
    [
      'follows redirects of an origin that allows it',
      `fetch('/r').then(async (r) => r.url + await r.text())`,
      {
        'https://a.example/r': { status: 302, headers: [['location', 'https://b.example/x']] },
        'https://b.example/x': cors('open'),
      },
      /^https:\/\/b\.example\/xopen$/,
    ],
    [
      'of a module script needs CORS',
      `import('https://b.example/m.js').then((m) => m.x)`,
      { 'https://b.example/m.js': js('export const x = "secret"') },
      /Failed to fetch/,
    ],
    [
      'of a page over https is not over http',
      `fetch('http://a.example/x').then((r) => r.text())`,
      { 'http://a.example/x': cors('plain') },
      /Failed to fetch/,
    ],
    ['is not for a file', `fetch('file:///etc/passwd').then((r) => r.text())`, {}, /Failed to fetch/],
    [
      'of a worker keeps to the same rule',
      `new Promise((resolve) => { const w = new Worker('/w.js'); w.onmessage = (e) => resolve(e.data); w.onerror = () => resolve('no worker') })`,
      {
        'https://a.example/w.js': js(
          `fetch('https://b.example/x').then((r) => r.text()).catch(() => 'blocked').then(postMessage)`,
        ),
        'https://b.example/x': { body: 'secret' },
      },
      /^blocked$/,
    ],
    [
      'of a worker is GET or HEAD',
      `new Promise((resolve) => { const w = new Worker('/w.js'); w.onmessage = (e) => resolve(e.data); w.onerror = () => resolve('no worker') })`,
      {
        'https://a.example/w.js': js(
          `fetch('/post', { method: 'POST', body: 'x' }).then(() => 'sent').catch(() => 'blocked').then(postMessage)`,
        ),
        'https://a.example/post': {},
      },
      /^blocked$/,
    ],
  ] as [string, string, Record<string, Answer>, RegExp][])
    it(name, async () => assert.match((await render(tell(expression), { answers })).title ?? '', expected));
});

describe('a hostile page', () => {
  it('cannot change what is read: its functions and its names of elements are not used', async () => {
    const { title, outcome } = await render(`<title>true</title><script>
      const lie = () => '<html><head><title>lie</title></head></html>';
      for (const owner of [Element.prototype, Node.prototype, Document.prototype, XMLSerializer.prototype])
        for (const name of ['outerHTML', 'innerHTML', 'textContent', 'documentElement', 'head', 'serializeToString', 'querySelector', 'URL', 'documentURI'])
          try { Object.defineProperty(owner, name, { get: lie, configurable: true }); } catch {}
      Object.prototype.toJSON = lie; Array.prototype.map = lie; JSON.stringify = lie; String.prototype.toString = lie;
      </script><form name=documentElement></form><img name=head><form name=querySelector></form><form name=URL></form>`);
    assert.equal(title, 'true');
    assert.equal(outcome.kind === 'document' && outcome.url, URL_A);
  });

  for (const [name, script] of [
    ['a loop without end', 'for (;;);'],
    ['a loop of promises without end', 'const f = () => Promise.resolve().then(f); f()'],
    [
      'a loop of messages to itself',
      'onmessage = () => postMessage(0, "*"); postMessage(0, "*"); for (;;) postMessage(0, "*")',
    ],
    [
      'a synchronous request to itself, again and again',
      'for (;;) { const x = new XMLHttpRequest(); x.open("GET", "/a", false); try { x.send() } catch {} }',
    ],
  ])
    it(`fails in its time: ${name}`, async () => {
      const startedAt = performance.now();
      const { outcome } = await render(`<script>${script}</script>`, { timeoutMs: 800 });
      assert.equal(outcome.kind, 'failed');
      assert.ok(performance.now() - startedAt < scaledMs(6_000));
    });

  for (const [name, script] of [
    ['timers without end', 'const f = () => setTimeout(f, 0); f(); setInterval(() => {}, 10)'],
    ['changes without end', 'setInterval(() => document.body?.append("x"), 10)'],
    ['animation frames without end', 'const f = () => requestAnimationFrame(f); f()'],
    ['dialogs', 'alert(1); confirm(2); prompt(3); onbeforeunload = () => "stay"'],
    [
      'forty empty frames',
      'addEventListener("load", () => { for (let i = 0; i < 40; i++) document.body.append(document.createElement("iframe")) })',
    ],
    [
      'frames in frames',
      'if (window === top) addEventListener("load", () => { let d = document; for (let i = 0; i < 20; i++) { const f = d.createElement("iframe"); d.body.append(f); d = f.contentDocument } })',
    ],
    ['a stopped load', 'window.stop()'],
    ['a written document', 'document.open(); document.write("<title>a</title>"); document.close()'],
  ])
    it(`is read all the same: ${name}`, async () => {
      assert.equal((await render(`<title>a</title><body><script>${script}</script>`)).title, 'a');
    });

  for (const [name, script] of [
    ['dialogs without end', 'for (;;) alert(1)'],
    [
      `${TEXT_MB} MB of text`,
      `const t = document.createTextNode("x".repeat(${TEXT_MB * 1_000_000})); document.head.append(t)`,
    ],
    [
      'a giant attribute',
      'document.documentElement.lang = "x".repeat(3_000_000); document.title = "y".repeat(3_000_000)',
    ],
    ['memory without end', 'const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1))'],
    [
      'elements nested a million deep',
      'let e = document.documentElement; for (let i = 0; i < 1e6; i++) e = e.appendChild(document.createElement("b"))',
    ],
  ])
    it(`fails, and the next page is rendered: ${name}`, async () => {
      const { outcome } = await render(`<script>${script}</script>`, { timeoutMs: 3_000 });
      assert.equal(outcome.kind, 'failed');
      assert.equal((await render('<title>next</title>')).title, 'next');
    });

  it('that is large is read by its head', async () => {
    const { outcome, title } = await render(
      `<html lang=en><title>a</title><script>addEventListener('load', () => { document.body.hidden = true; for (let i = 0; i < 30; i++) document.body.append('x'.repeat(100_000)) })</script>`,
    );
    assert.equal(title, 'a');
    assert.ok(outcome.kind === 'document' && outcome.html.length < 1_000);
    assert.match(outcome.html, /^<html lang="en"><head>/);
  });

  it('gets no page of the browser on a port that browsers refuse', async () => {
    assert.equal(
      (await render('<title>a</title>', { url: 'http://a.example:6000/' })).outcome.kind,
      'failed',
    );
  });

  it('leaves nothing to the next page of its origin', async () => {
    const store = `localStorage.a = 1; document.cookie = 'a=1'; caches.open('a')`;
    await render(`<script>${store}</script>`);
    assert.equal((await render(tell('String(localStorage.a) + document.cookie'))).title, 'undefined');
  });
});

it('no browser is the error of a part that is not available', async () => {
  const none = await openSlots({ chromiumPath: '/nonexistent/chromium' });
  const running = slots;
  slots = none;
  try {
    await assert.rejects(render('a'), { code: 'unavailable', retryAfterSeconds: 30 });
  } finally {
    slots = running;
    await none.close();
  }
});
