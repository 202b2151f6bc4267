import assert from 'node:assert/strict';
import { before, beforeEach, describe } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { PdfEngine, Resource, ResourceFailure, ResourceRequest } from '#pdf';
import { generate, NOT_SERVED } from './support/open-engine.ts';
import { paintPdf, readLinks, readPdf } from './support/read-pdf.ts';
import { sampleTests } from '../support/sample.ts';
import { shareEngine } from './support/shared-engine.ts';

const it = sampleTests(4);

const SITE = 'https://site.example';
const HTTP = 'http://other.example';
/** Longer than a document takes that waits for nothing. */
const SLOW_MS = 1_500;

const files: Record<string, [type: string, body: string]> = {
  '/data.json': ['application/json', '{"value":1}'],
  '/slow.json': ['application/json', '{"value":2}'],
  '/style.css': ['text/css', 'p { background: #ff0000; height: 40px }'],
  '/script.js': ['text/javascript', 'log("scripted")'],
  '/module.js': ['text/javascript', 'export const value = "imported"'],
  '/worker.js': ['text/javascript', 'onmessage = ({ data }) => postMessage(data + 1)'],
  '/frame.html': ['text/html', '<p>framed'],
  '/image.svg': [
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#ff0000"/></svg>',
  ],
};

let engine: PdfEngine;
let requested: string[] = [];

async function serve({ url }: ResourceRequest): Promise<Resource | ResourceFailure> {
  const { pathname } = new URL(url);
  requested.push(pathname);
  if (pathname === '/slow.json') await wait(SLOW_MS);
  const [type, body] = files[pathname] ?? [];
  if (type === undefined || body === undefined) return NOT_SERVED;
  const headers: [string, string][] = [
    ['content-type', type],
    ['cache-control', 'public, max-age=31536000, immutable'],
    ['set-cookie', 'served=1'],
  ];
  return { url, status: 200, headers, body: Buffer.from(body) };
}

before(async () => {
  engine = await shareEngine(() => serve);
});
beforeEach(() => {
  requested = [];
});

const START = '<pre id=o></pre><script>const log = (text) => o.append(text + " ")</script>';

/** Renders a document with an element `o` and a function `log`. */
async function print(body: string, extra: object = {}, keyId?: string): Promise<Uint8Array> {
  return (await generate(engine, { html: START + body, base_url: `${SITE}/`, ...extra }, keyId)).pdf;
}

/** Returns the text of a document that runs `script`. */
async function run(script: string, extra: object = {}, keyId?: string): Promise<string> {
  const { pages } = await readPdf(await print(`<script>${script}</script>`, extra, keyId));
  const text = pages.map((page) => page.text).join(' ');
  return text.replace(/\s+/g, ' ').trim();
}

/** Leaves something in each kind of state, and logs that it is there. */
const PLANT = `
  localStorage.a = sessionStorage.a = name = "planted";
  document.cookie = "a=planted; max-age=99999";
  for (let n = 0; n < 5; n++) history.pushState({ a: "planted" }, "", "/planted");
  new Image().src = "${SITE}/image.svg";
  (async () => {
    await fetch("${SITE}/data.json");
    await (await caches.open("a")).put("/planted", new Response("planted"));
    await (await navigator.storage.getDirectory()).getFileHandle("planted", { create: true });
    await new Promise((resolve) => {
      const open = indexedDB.open("planted");
      open.onupgradeneeded = () => open.result.createObjectStore("planted");
      open.onsuccess = resolve;
    });
    await cookieStore.set("b", "planted");
    await navigator.serviceWorker.register("/worker.js").catch((error) => log(error.name));
    await navigator.storage.persist();
    log([localStorage.a, document.cookie, name, history.length > 5, (await indexedDB.databases()).length].join());
  })()`;
const PLANTED = /planted,a=planted; b=planted,planted,true,1/;

/** Logs the state that a document finds. */
const LOOK = `
  new Image().src = "${SITE}/image.svg";
  (async () => {
    const found = [
      JSON.stringify({ ...localStorage, ...sessionStorage }), document.cookie, name, history.length,
      JSON.stringify(history.state), typeof SharedWorker, document.referrer, performance.getEntriesByType("navigation")[0]?.type,
      await caches.keys(), (await indexedDB.databases()).length, (await cookieStore.getAll()).length,
      (await navigator.serviceWorker.getRegistrations()).length, navigator.serviceWorker.controller,
      (await navigator.storage.estimate()).usage, await navigator.storage.persisted(),
    ];
    const folder = await navigator.storage.getDirectory();
    for await (const name of folder.keys()) found.push(name);
    found.push((await (await fetch("${SITE}/data.json")).json()).value);
    log(found.map((each) => "[" + each + "]").join(" "));
  })()`;

const ORIGINS = { 'its own origin': { base_url: null }, 'the origin of base_url': {} };

void describe('a document leaves nothing to another', () => {
  for (const [name, extra] of Object.entries(ORIGINS)) {
    it(`of the same key or of another, with ${name}: storage, cookies, databases, files, history, name, workers`, async () => {
      const fresh = await run(LOOK, extra, 'one');
      assert.match(fresh, /^\[\{\}\] \[\] \[\] \[\d\] \[null\] \[undefined\]/);
      for (const keyId of ['one', 'other']) {
        assert.match(await run(PLANT, extra, 'one'), PLANTED);
        assert.equal(await run(LOOK, extra, keyId), fresh);
      }
    });

    it(`with ${name}: caches. Each document requests its resources itself`, async () => {
      const html = `<link rel=stylesheet href="${SITE}/style.css"><img src="${SITE}/image.svg"><script src="${SITE}/script.js"></script><script>fetch("${SITE}/data.json", { cache: "force-cache" })</script>`;
      for (const keyId of ['one', 'one', 'other']) {
        requested = [];
        await print(html, extra, keyId);
        assert.deepEqual(requested.sort(), ['/data.json', '/image.svg', '/script.js', '/style.css']);
      }
    });

    it(`with ${name}: a resource of another document takes its time again`, async () => {
      const measure = `fetch("${SITE}/slow.json", { cache: "force-cache" }).then((response) => response.json()).then(({ value }) => log(value))`;
      await run(measure, extra, 'one');
      for (const keyId of ['one', 'other']) {
        const startedAt = performance.now();
        assert.equal(await run(measure, extra, keyId), '2');
        assert.ok(performance.now() - startedAt >= SLOW_MS);
      }
    });
  }

  it('that is rendered at the same time: broadcasts, storage events, locks', async () => {
    const wait = `fetch("${SITE}/slow.json")`;
    const speak = `const channel = new BroadcastChannel("a"); setInterval(() => { channel.postMessage("heard"); localStorage.a = Math.random() }, 10); navigator.locks.request("a", () => ${wait}); ${wait}.then(() => ${wait}).then(() => log("spoken"))`;
    const listen = `new BroadcastChannel("a").onmessage = () => log("heard"); onstorage = () => log("stored"); ${wait}.then(() => navigator.locks.query()).then(({ held }) => log(held.length))`;
    const texts = await Promise.all([run(speak, {}, 'one'), run(listen, {}, 'other')]);
    assert.deepEqual(texts, ['spoken', '0']);
  });

  it('by a service worker, which is refused', async () => {
    for (const extra of Object.values(ORIGINS)) {
      const register = 'navigator.serviceWorker.register("worker.js")';
      assert.match(
        await run(`${register}.then(() => log("registered"), (error) => log(error.name))`, extra),
        /Error/,
      );
    }
  });
});

void describe('the origin of a document', () => {
  const EVERYTHING =
    'localStorage.a = 1; sessionStorage.b = 2; document.cookie = "c=3"; history.pushState({}, "", "/pushed");' +
    'log([localStorage.a, sessionStorage.b, document.cookie, location.pathname, isSecureContext].join())';

  for (const [name, extra, isSecure] of [
    ['its own', { base_url: null }, true],
    ['base_url', {}, true],
    ['base_url over http', { base_url: 'http://site.example/' }, false],
  ] as const) {
    it(`${name}: storage, cookies and history work, and their state is gone afterwards`, async () => {
      const script = `if (localStorage.length + document.cookie.length > 0) log("kept"); ${EVERYTHING}`;
      for (let time = 0; time < 2; time += 1)
        assert.equal(await run(script, extra), `1,2,c=3,/pushed,${isSecure}`);
    });
  }

  it('is base_url; if its port is blocked, it is its own', async () => {
    assert.equal(await run('log(location.href)', { base_url: `${SITE}/a/b?c` }), `${SITE}/a/b?c`);
    for (const base_url of ['http://site.example:25/a', 'http://document.localhost/#a']) {
      const text = await run('log(document.baseURI); log(location.href)', { base_url });
      assert.equal(text, `${base_url} http://document.localhost/`);
    }
  });

  it('has modules, workers and requests of relative URLs', async () => {
    const script =
      'import("./module.js").then(({ value }) => log(value)); fetch("data.json").then((response) => response.json()).then(({ value }) => log(value));' +
      'const worker = new Worker("worker.js"); worker.onmessage = ({ data }) => log(data); worker.postMessage(6)';
    const words = (await run(script)).split(' ');
    assert.deepEqual(words.sort(), ['1', '7', 'imported']);
  });
});

void describe('resources over http load in a document over https', () => {
  const isRed = async (body: string): Promise<boolean> => {
    const [page] = await paintPdf(await print(body), 50);
    const { data } = page ?? assert.fail();
    return data.some((red, at) => at % 4 === 0 && red > 230 && (data[at + 1] ?? 255) < 40);
  };

  it('an image, also one of a style sheet', async () => {
    assert.ok(await isRed(`<img src="${HTTP}/image.svg">`));
    assert.ok(await isRed(`<div style="width: 40px; height: 40px; background: url(${HTTP}/image.svg)">`));
  });

  it('a style sheet', async () => {
    assert.ok(await isRed(`<link rel=stylesheet href="${HTTP}/style.css"><p>`));
  });

  it('a script and a request', async () => {
    assert.equal(await run(`</script><script src="${HTTP}/script.js"></script><script>`), 'scripted');
    const request = `fetch("${HTTP}/data.json").then((response) => response.json()).then(({ value }) => log(value))`;
    assert.equal(await run(request), '1');
  });

  it('a frame in the html', async () => {
    assert.equal(await run(`</script><iframe src="${HTTP}/frame.html"></iframe><script>`), 'framed');
  });

  it('a frame that a script adds, unless base_url is over https', async () => {
    const add = `document.body.append(Object.assign(document.createElement("iframe"), { src: "${HTTP}/frame.html" }))`;
    assert.equal(await run(add, { base_url: null }), 'framed');
    assert.equal(await run(add), '');
  });
});

void describe('links', () => {
  const LINKS =
    '<a href="a/b">1</a> <a href="/c?d#e">2</a> <a href="#end">3</a> <a href="https://absolute.example/">4</a> <a href="mailto:a@b.c">5</a><p id=end>x';
  const LANES = { static: LINKS, warm: `${LINKS}<script>o = 1</script>` };

  async function list(html: string, extra: object): Promise<{ urls: string[]; lane: string }> {
    const { pdf, lane } = await generate(engine, { html, ...extra });
    const urls = (await readLinks(pdf)).map(({ url }) => url ?? '#');
    return { urls, lane };
  }

  for (const [lane, html] of Object.entries(LANES)) {
    it(`that are relative have no target without base_url, fragments have one, in the ${lane} lane`, async () => {
      for (const extra of [{}, { tagged: true }])
        assert.deepEqual(await list(html, extra), {
          lane,
          urls: ['#', 'https://absolute.example/', 'mailto:a@b.c'],
        });
    });

    it(`that are relative lead to base_url, in the ${lane} lane`, async () => {
      const { urls } = await list(html, { base_url: `${SITE}/x/` });
      assert.deepEqual(urls.slice(0, 3), [`${SITE}/x/a/b`, `${SITE}/c?d#e`, '#']);
    });
  }

  it('of a frame, and of a document whose elements have the names of functions', async () => {
    const frame = '<iframe srcdoc="<a href=a>1</a> <a href=https://absolute.example/>2</a>"></iframe>';
    const names =
      '<form name=createElement></form><form name=documentElement></form><form name=baseURI></form>';
    const { urls } = await list(`${names}<a href=b>3</a>${frame}`, {});
    assert.deepEqual(urls, ['https://absolute.example/']);
  });

  it('keep relative URLs of scripts working until the document is printed', async () => {
    const script =
      'history.pushState({}, "", "/pushed"); log(location.pathname); log(new URL("x", document.baseURI).pathname)';
    assert.equal(await run(script, { base_url: null }), '/pushed /x');
  });
});
