import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { waitForRoomInMinute } from '../support/clock-minute.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const MEBIBYTE = 1024 * 1024;

interface Item {
  index: number;
  url: string;
  title?: string;
  age?: number;
  details?: { status: number };
  error?: { status: number; error: string; message: string; param?: string };
}

/** The requests to the site, and how many it answers at once. */
const site = { paths: [] as string[], open: 0, mostOpen: 0, aborted: 0, agents: new Set<string>() };
let server: Server;
let service: TestApp;
let key: string;
let base: string;

before(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    site.paths.push(path);
    site.agents.add(`${request.headers['user-agent']} ${request.headers['accept-language']}`);
    site.open += 1;
    site.mostOpen = Math.max(site.mostOpen, site.open);
    response.once('close', () => {
      site.open -= 1;
      if (!response.writableFinished) site.aborted += 1;
    });
    if (path.startsWith('/silent')) return;
    response.writeHead(path === '/gone' ? 404 : 200, { 'content-type': 'text/html' });
    // The next turns: requests that arrive together are open together.
    setImmediate(() => setImmediate(() => response.end(`<title>${path}</title></head><body>`)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  service = await startApp({ EGRESS_ALLOW_CIDRS: '127.0.0.1/32', PLANS: 'free=60,business=6000' });
  key = await service.createKey();
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  await service[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  site.paths = [];
  site.mostOpen = 0;
  site.aborted = 0;
  site.agents.clear();
});

const post = (body: unknown, headers: Record<string, string> = {}, secret = key, path = '/v1/meta/batch') =>
  service.call(path, secret, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const LINES = { accept: 'application/x-ndjson' };
const urlsOf = (count: number, prefix = '/') =>
  Array.from({ length: count }, (_, n) => `${base}${prefix}${n}`);
const readItems = async (response: Response): Promise<Item[]> => {
  assert.equal(response.status, 200);
  return ((await response.json()) as { results: Item[] }).results;
};
const readLines = async (response: Response): Promise<Item[]> =>
  (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Item);

describe('POST /v1/meta/batch', () => {
  it('200: answers each URL like a single request, in order, with its index and the URL as given', async () => {
    const urls = [`${base}/a`, 'ftp://a.example/', `${base}/gone`, 'http://169.254.169.254/', `${base}/a#x`];
    const items = await readItems(await post({ urls, details: true }));
    assert.deepEqual(
      items.map(({ index, url, title, details, error }) => [
        index,
        url,
        title ?? error?.error,
        details?.status ?? error?.status,
      ]),
      [
        [0, urls[0], '/a', 200],
        [1, urls[1], 'invalid_url', 400],
        [2, urls[2], '/gone', 404],
        [3, urls[3], 'unreachable', 422],
        [4, urls[4], '/a', 200],
      ],
    );
    const single = (await (
      await service.call(`/v1/meta?details=true&url=${encodeURIComponent(urls[0] ?? '')}`, key)
    ).json()) as object;
    assert.deepEqual(items[0], { index: 0, ...single });
    assert.equal(items[1]?.error?.param, 'url');
  });

  it('200: sends lines if they are accepted: in order, or with order=false as they complete', async () => {
    const urls = urlsOf(30);
    const response = await post({ urls }, LINES);
    assert.match(response.headers.get('content-type') ?? '', /^application\/x-ndjson/);
    assert.deepEqual(
      (await readLines(response)).map(({ index, url }) => [index, url]),
      urls.map((url, index) => [index, url]),
    );
    const slowFirst = [`${base}/silent`, ...urls.slice(0, 3)];
    const items = await readLines(await post({ urls: slowFirst, order: false, timeout: 1000 }, LINES));
    assert.equal(items.at(-1)?.index, 0, 'the slow one is last');
    assert.equal(items.at(-1)?.error?.error, 'timeout');
    assert.deepEqual(
      items.map(({ index, url }) => [slowFirst[index], url]).filter(([given, url]) => given !== url),
      [],
    );
  });

  it('200: opens two connections to one host at most', async () => {
    await readItems(await post({ urls: urlsOf(40) }));
    assert.equal(site.paths.length, 40);
    assert.equal(site.mostOpen, 2);
  });

  it('200: all options are members, with the meaning of the parameters', async () => {
    const urls = [`${base}/options`];
    await readItems(await post({ urls, language: 'DE-ch', user_agent: 'browser', render: false }));
    assert.match([...site.agents].join(), /Chrome\/\d+.* de-CH$/);
  });

  it('200: null in an optional member means absent', async () => {
    const absent = { timeout: null, order: null, render: null, language: null, max_age: null };
    const [item] = await readItems(await post({ urls: [`${base}/absent`], ...absent }));
    assert.equal(item?.error, undefined);
  });

  it('200: max_age accepts the result of a single request, and the reverse', async () => {
    const [first, second] = urlsOf(2, '/aged/') as [string, string];
    await service.call(`/v1/meta?url=${encodeURIComponent(first)}`, key);
    const items = await readItems(await post({ urls: [first, second], max_age: 60 }));
    assert.equal(typeof items[0]?.age, 'number');
    assert.equal('age' in (items[1] ?? {}), false, 'it was fetched');
    const single = await service.call(`/v1/meta?max_age=60&url=${encodeURIComponent(second)}`, key);
    assert.match(single.headers.get('age') ?? '', /^\d$/);
    assert.deepEqual(site.paths, ['/aged/0', '/aged/1']);
    const fresh = await service.call(`/v1/meta?url=${encodeURIComponent(second)}`, key);
    assert.equal(fresh.headers.get('age'), null);
    const other = await service.createKey();
    const stranger = await service.call(`/v1/meta?max_age=60&url=${encodeURIComponent(second)}`, other);
    assert.equal(stranger.headers.get('age'), null, 'another account has its own results');
  });

  it('counts each URL as one request, all or none', async () => {
    await waitForRoomInMinute(5000);
    const free = await service.createKey('free');
    const used = await post({ urls: urlsOf(40, '/count/') }, {}, free);
    assert.equal(used.headers.get('x-ratelimit-remaining'), '20');
    const refused = await post({ urls: urlsOf(21) }, {}, free);
    assert.equal(refused.status, 429);
    assert.equal(site.paths.length, 40, 'none of them is fetched');
    const more = await post({ urls: urlsOf(61) }, {}, free);
    const { message } = (await more.json()) as { message: string };
    assert.deepEqual(
      [more.status, more.headers.get('x-ratelimit-remaining'), message],
      [400, '19', 'urls has 61 URLs, more than the 60 requests a minute of your plan: send fewer at a time.'],
    );
  });

  it('400: urls and options that are not allowed are named', async () => {
    const urls = ['http://a.example/'];
    for (const [body, param, headers] of [
      [{}, 'urls'],
      [{ urls: [] }, 'urls'],
      [{ urls: 'http://a.example/' }, 'urls'],
      [{ urls: [1] }, 'urls[0]'],
      [{ urls: Array(101).fill('http://a.example/') }, 'urls'],
      [{ urls, url: 'http://a.example/' }, 'url'],
      [{ urls, details: 'true' }, 'details'],
      [{ urls, timeout: 999 }, 'timeout'],
      [{ urls, timeout: 1000.5 }, 'timeout'],
      [{ urls, timeout: '2000' }, 'timeout'],
      [{ urls, render: 1 }, 'render'],
      [{ urls, render: 'TRUE' }, 'render'],
      [{ urls, max_age: -1 }, 'max_age'],
      [{ urls, max_age: 86_401 }, 'max_age'],
      [{ urls, user_agent: 'Googlebot' }, 'user_agent'],
      [{ urls, user_agent: ['bot'] }, 'user_agent'],
      [{ urls, language: 'de_CH' }, 'language'],
      [{ urls, language: 1 }, 'language'],
      [{ urls, language: 'x'.repeat(201) }, 'language'],
      [{ urls, order: 'no' }, 'order'],
      [{ urls, order: false }, 'order'],
      [{ urls, order: false }, 'order', { accept: 'application/x-ndjson;q=0' }],
      [{ urls, order: false }, 'order', { accept: 'application/json, application/x-ndjson' }],
    ] as [object, string, Record<string, string>?][]) {
      const response = await post(body, headers);
      const answer = (await response.json()) as { error: string; param: string };
      const shown = JSON.stringify(body).slice(0, 80);
      assert.deepEqual(
        [response.status, answer.error, answer.param],
        [400, 'invalid_parameter', param],
        shown,
      );
    }
    assert.equal((await post({ urls }, {}, key, '/v1/meta/batch?details=true')).status, 400);
  });

  it('400: a body that is JSON but no object is not called invalid JSON', async () => {
    for (const [body, found] of [
      ['[]', 'an array'],
      ['"x"', 'a text'],
      ['null', 'null'],
      ['1', 'a number'],
      [`[${'1,'.repeat(2_000)}1]`, 'an array'],
    ] as const)
      for (const path of ['/v1/meta/batch', '/v1/email/validate/batch']) {
        const response = await post(body, {}, key, path);
        const { error, message } = (await response.json()) as Record<string, string>;
        assert.deepEqual(
          [response.status, error, message],
          [400, 'invalid_json', `Send one JSON object as the body: it is ${found}.`],
        );
      }
    const broken = (await (await post('{"urls":')).json()) as { message: string };
    assert.match(broken.message, /is not valid JSON/);
  });

  it('200: sends JSON if the Accept header prefers it to lines', async () => {
    const accept = 'application/x-ndjson;q=0.1, application/json';
    const items = await readItems(await post({ urls: urlsOf(1) }, { accept }));
    assert.equal(items.length, 1);
  });

  it('400: an invalid URL is named as the URL, not as a parameter that a batch does not have', async () => {
    const [empty, relative] = await readItems(await post({ urls: ['', 'a.example'] }));
    assert.match(empty?.error?.message ?? '', /^The URL is empty: /);
    assert.match(relative?.error?.message ?? '', /^The URL is not absolute /);
  });

  it('400: with META_RENDER=false, a batch that renders is refused before its URLs are counted', async () => {
    await using closed = await startApp({ META_RENDER: 'false', PLANS: 'free=60' });
    const secret = await closed.createKey('free');
    const send = (render: unknown) =>
      closed.call('/v1/meta/batch', secret, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ urls: urlsOf(20), render }),
      });
    for (const [render, remaining] of [
      ['auto', '59'],
      ['true', '58'],
      [true, '57'],
    ] as const) {
      const response = await send(render);
      const { error, param, message } = (await response.json()) as Record<string, string>;
      assert.deepEqual([response.status, error, param], [400, 'invalid_parameter', 'render']);
      assert.match(message ?? '', /operator of this service has turned rendering off/);
      assert.equal(response.headers.get('x-ratelimit-remaining'), remaining, 'it costs one request');
    }
    assert.deepEqual(site.paths, []);
    const { status } = await send(false);
    assert.notEqual(status, 400);
  });

  it('413 and 400: large bodies are refused, or parsed off the main thread', async () => {
    assert.equal((await post({ urls: ['x'.repeat(3 * MEBIBYTE)] })).status, 413);
    const long = Array.from({ length: 100 }, () => `http://a.example/${'x'.repeat(5000)}`);
    const items = await readItems(await post({ urls: long }));
    assert.equal(items.length, 100);
    assert.equal(items[99]?.error?.error, 'invalid_url');
  });

  it('a client that disconnects ends all fetches of its batch', async () => {
    const { port } = service;
    const urls = urlsOf(20, '/silent/');
    const payload = JSON.stringify({ urls, timeout: 30_000 });
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /v1/meta/batch HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`,
    );
    while (site.open < 2) await new Promise(setImmediate);
    socket.destroy();
    while (site.open > 0) await new Promise(setImmediate);
    assert.deepEqual([site.aborted, site.paths.length], [2, 2], 'no other is begun');
  });
});
