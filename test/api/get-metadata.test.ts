import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { png } from '../metadata/images.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { scaledMs } from '../support/patience.ts';

const page = `<!doctype html><html lang="en-gb"><head><meta charset="utf-8"><title> Fish &amp;
 Chips </title><meta name="description" content="Fried &quot;daily&quot;"><link rel="icon" href="/icon.png">
<meta property="og:title" content="Fish"><meta property="og:image" content="img/fish.jpg"><meta property="og:site_name" content="The Shop">
<meta name="twitter:card" content="summary"></head><body>x</body></html>`;

const html = { 'content-type': 'text/html' };
const routes: Record<string, RequestListener> = {
  '/': (_request, response) => response.writeHead(200, html).end(page),
  '/gzip': (_request, response) =>
    response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(gzipSync(page)),
  '/latin1': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' })
      .end(Buffer.from('<title>Caf\xe9</title>', 'latin1')),
  '/hop': (_request, response) => response.writeHead(302, { location: '/' }).end('<title>moved</title>'),
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/inside': (_request, response) => response.writeHead(302, { location: 'http://10.0.0.5/' }).end(),
  '/image': (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('png'),
  '/gone': (_request, response) => response.writeHead(404, html).end('<title>Gone</title>'),
  '/film': (_request, response) =>
    response
      .writeHead(200, html)
      .end(
        '<title>Film</title><link rel=icon href=i.png sizes=32x32><link rel=alternate type=application/rss+xml href=/feed>' +
          '<meta property=og:video content=/f.mp4><meta property=og:video:type content=video/mp4><meta property=og:video:width content=640>' +
          '<meta property=og:audio content=/f.mp3><meta property=og:image content=/f.png><script type=application/ld+json>{"a":1}</script>',
      ),
  '/shell': (_request, response) =>
    response.writeHead(200, html).end('<title>Shell</title><div id=root></div><script src=/app.js></script>'),
  '/card': (_request, response) =>
    response
      .writeHead(200, html)
      .end(
        '<title>Card</title><link rel=icon href=/gone sizes=64x64><link rel=icon href=/square><meta property=og:image content="http://inside.example-site.com/a.png">',
      ),
  '/square': (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(png(48, 48)),
  '/head': (_request, response) => response.writeHead(200, html).write('<title>Head</title></head><body>'),
  '/languages': (request, response) =>
    response.writeHead(200, html).end(`<title>${request.headers['accept-language']}</title>`),
  '/silent': () => {},
  '/refresh': (_request, response) =>
    response.writeHead(200, html).end('<title>Refresh</title><meta http-equiv=refresh content="0;url=/">'),
  '/late': (_request, response) => response.writeHead(200, html).write('<title>Late'),
};

describe('GET /v1/meta', () => {
  let dns: DnsServer;
  let site: Server;
  let service: TestApp;
  let key: string;
  let base: string;
  before(async () => {
    site = createServer((request, response) =>
      routes[request.url?.split('?')[0] ?? '']?.(request, response),
    ).listen(0, '127.0.0.2');
    await new Promise((resolve) => site.once('listening', resolve));
    dns = await startDnsServer({
      zones: {
        'public.example-site.com': { A: ['127.0.0.2'] },
        'inside.example-site.com': { A: ['10.0.0.5'] },
      },
    });
    service = await startApp({ DNS_SERVERS: `127.0.0.1:${dns.port}`, EGRESS_ALLOW_CIDRS: '127.0.0.2/32' });
    key = await service.createKey();
    base = `http://public.example-site.com:${(site.address() as AddressInfo).port}`;
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    site.closeAllConnections();
    site.close();
    await dns.close();
  });

  const ask = (url: string, rest = ''): Promise<Response> =>
    service.call(`/v1/meta?url=${encodeURIComponent(url)}${rest}`, key);
  async function refuse(url: string, status: number, error: string, rest = ''): Promise<string> {
    const answer = await ask(url, rest);
    const body = (await answer.json()) as { error: string; message: string };
    assert.deepEqual([answer.status, body.error], [status, error]);
    return body.message;
  }

  it('200: exactly the members of the contract, null for what is not declared', async () => {
    const answer = await ask(`${base}/`);
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), {
      url: `${base}/`,
      title: 'Fish & Chips',
      description: 'Fried "daily"',
      favicon: `${base}/icon.png`,
      og: {
        title: 'Fish',
        description: null,
        image: `${base}/img/fish.jpg`,
        url: null,
        type: null,
        site_name: 'The Shop',
      },
      twitter: { card: 'summary', site: null, title: null, description: null, image: null },
      charset: 'utf-8',
      language: 'en-GB',
    });
  });

  it('200: compressed pages and other charsets are read', async () => {
    assert.equal(((await (await ask(`${base}/gzip`)).json()) as { title: string }).title, 'Fish & Chips');
    const { title, charset } = (await (await ask(`${base}/latin1`)).json()) as {
      title: string;
      charset: string;
    };
    assert.deepEqual([title, charset], ['Café', 'windows-1252']);
  });

  it('422: a redirect beyond max_redirects, also in a batch and beside a cached result', async () => {
    const refused = /redirects more often than max_redirects permits \(0\)/;
    const read = async (rest: string) =>
      ((await (await ask(`${base}/hop`, rest)).json()) as { title: string }).title;
    assert.equal(await read('&max_redirects=1&max_age=60'), 'Fish & Chips');
    assert.match(await refuse(`${base}/hop`, 422, 'unreachable', '&max_redirects=0&max_age=60'), refused);
    assert.equal(await read('&max_redirects=0&follow_redirects=false'), 'moved');
    const batch = await service.call('/v1/meta/batch', key, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ urls: [`${base}/hop`, `${base}/`], max_redirects: 0 }),
    });
    const { results } = (await batch.json()) as {
      results: { error?: { message: string }; title?: string }[];
    };
    assert.match(results[0]?.error?.message ?? '', refused);
    assert.equal(results[1]?.title, 'Fish & Chips');
    await refuse(`${base}/`, 400, 'invalid_parameter', '&max_redirects=11');
  });

  it('200: a page that refreshes is described itself if max_redirects permits no more', async () => {
    const read = async (rest: string) =>
      ((await (await ask(`${base}/refresh`, rest)).json()) as { title: string }).title;
    assert.equal(await read(''), 'Fish & Chips');
    assert.equal(await read('&max_redirects=0'), 'Refresh');
  });

  it('200: redirects are followed, or described if they are not', async () => {
    const followed = (await (await ask(`${base}/hop`, '&details=true')).json()) as {
      url: string;
      title: string;
      details: { final_url: string; redirects: unknown[]; status: number };
    };
    assert.deepEqual(
      [followed.url, followed.title, followed.details.final_url, followed.details.status],
      [`${base}/hop`, 'Fish & Chips', `${base}/`, 200],
    );
    assert.deepEqual(followed.details.redirects, [{ url: `${base}/hop`, status: 302 }]);
    const still = (await (
      await ask(`${base}/hop`, '&follow_redirects=false&details=true')
    ).json()) as typeof followed;
    assert.deepEqual(
      [still.title, still.details.final_url, still.details.status],
      ['moved', `${base}/hop`, 302],
    );
  });

  it('200: any status with HTML is described, and other content has null members', async () => {
    assert.equal(((await (await ask(`${base}/gone`)).json()) as { title: string }).title, 'Gone');
    const image = (await (await ask(`${base}/image`)).json()) as { title: null; favicon: string };
    assert.deepEqual([image.title, image.favicon], [null, `${base}/favicon.ico`]);
  });

  it('200: details are lists of objects, empty if the page has none', async () => {
    const read = async (path: string) =>
      ((await (await ask(`${base}${path}`, '&details=true')).json()) as { details: Record<string, unknown> })
        .details;
    const film = await read('/film');
    assert.deepEqual(
      ['icons', 'images', 'video', 'audio', 'feeds', 'json_ld'].map((name) => film[name]),
      [
        [{ url: `${base}/i.png`, sizes: '32x32', type: null }],
        [{ url: `${base}/f.png`, width: null, height: null, alt: null }],
        [{ url: `${base}/f.mp4`, type: 'video/mp4', width: 640, height: null }],
        [{ url: `${base}/f.mp3`, type: null }],
        [{ url: `${base}/feed`, title: null, type: 'application/rss+xml' }],
        [{ a: 1 }],
      ],
    );
    const gone = await read('/gone');
    for (const name of ['icons', 'images', 'video', 'audio', 'feeds', 'oembed', 'json_ld', 'redirects'])
      assert.deepEqual(gone[name], [], name);
  });

  it('200: probe=true measures through the guard, and reaches no address that is not public', async () => {
    const { favicon, details } = (await (await ask(`${base}/card`, '&details=true&probe=true')).json()) as {
      favicon: string;
      details: { probed: object; oembed_response: null };
    };
    assert.equal(favicon, `${base}/square`);
    const image = { url: 'http://inside.example-site.com/a.png', exists: false, type: null };
    assert.deepEqual(details.probed, {
      favicon: { url: `${base}/square`, exists: true, type: 'image/png', width: 48, height: 48 },
      image: { ...image, width: null, height: null },
    });
    assert.equal(details.oembed_response, null);
  });

  it('400: probe and oembed need details', async () => {
    for (const param of ['probe', 'oembed']) {
      const answer = await ask(`${base}/`, `&${param}=true`);
      const body = (await answer.json()) as { error: string; param: string };
      assert.deepEqual([answer.status, body.error, body.param], [400, 'invalid_parameter', param]);
    }
  });

  it('408: a target that does not respond within the timeout', async () => {
    const startedAt = performance.now();
    await refuse(`${base}/silent`, 408, 'timeout', '&timeout=1000');
    assert.ok(performance.now() - startedAt < scaledMs(3000));
    await refuse(`${base}/late`, 408, 'timeout', '&timeout=1000');
  });

  it('422: unknown host, connection refused, a loop, and every address that is not public, with the same message', async () => {
    const missing = await refuse('http://missing.example-site.com/', 422, 'unreachable');
    assert.equal(await refuse('http://inside.example-site.com/', 422, 'unreachable'), missing);
    assert.equal(await refuse('http://127.0.0.1/', 422, 'unreachable'), missing);
    assert.equal(await refuse('http://169.254.169.254/', 422, 'unreachable'), missing);
    assert.equal(await refuse(`${base}/inside`, 422, 'unreachable'), missing);
    await refuse(`${base}/loop`, 422, 'unreachable');
    await refuse('http://127.0.0.2:1/', 422, 'unreachable');
  });

  it('422: the service does not fetch itself, not even in an allowed range', async () => {
    await using own = await startApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    const ownKey = await own.createKey();
    assert.equal(
      (await own.call(`/v1/meta?url=${encodeURIComponent(`${own.url}/healthz`)}`, ownKey)).status,
      422,
    );
  });

  it('400: an invalid url, or one that is not http', async () => {
    for (const url of [
      '',
      ' ',
      'example.com',
      '/path',
      'ftp://example.com/',
      'javascript:1',
      'http://',
      'http://u:p@example.com/',
      'http://e.com/\n',
      `http://e.com/${'x'.repeat(4096)}`,
    ])
      await refuse(url, 400, 'invalid_url');
  });

  it('400: the message about an unencoded & says to encode it', async () => {
    const answer = await service.call(`/v1/meta?url=${base}/?a=1&b=2`, key);
    const body = (await answer.json()) as { error: string; message: string; param: string };
    assert.deepEqual([answer.status, body.error, body.param], [400, 'invalid_parameter', 'b']);
    assert.match(body.message, /percent-encode/);
  });

  it('renders pages by false, true and auto, and says what is wrong with another value', async () => {
    const response = await service.call(`/v1/meta?url=${base}/&render=yes`, key);
    assert.equal(response.status, 400);
    assert.deepEqual(await pick(response), {
      error: 'invalid_parameter',
      param: 'render',
      message: 'The parameter render must be one of false, true, auto.',
    });
  });

  it('400: a missing url is called missing, and another one by what is wrong with it', async () => {
    const missing = await pick(await service.call('/v1/meta?uri=x', key));
    assert.deepEqual(missing, {
      error: 'invalid_url',
      param: 'url',
      message: 'The url parameter is missing: send the page as ?url=…, percent-encoded.',
    });
    const empty = await pick(await service.call('/v1/meta?url=', key));
    assert.match(String(empty.message), /^The URL is empty: /);
  });

  it('accepts + as a space in language only, as clients that encode forms send it', async () => {
    const query = new URLSearchParams({ url: `${base}/languages`, language: 'de-CH, de;q=0.9' });
    const response = await service.call(`/v1/meta?${query.toString()}`, key);
    assert.equal(((await response.json()) as { title: string }).title, 'de-CH, de;q=0.9');
    const plus = await service.call(`/v1/meta?url=${base}/languages?a+b&language=de%2BCH`, key);
    assert.equal((await pick(plus)).param, 'language');
  });

  it('200: details tell of a redirect that was not followed, and of a page that was cut', async () => {
    const read = async (path: string, rest: string) => {
      const { details } = (await (await ask(`${base}${path}`, `&details=true${rest}`)).json()) as {
        details: { status: number; location: string | null; truncated: boolean };
      };
      return [details.status, details.location, details.truncated];
    };
    assert.deepEqual(await read('/hop', '&follow_redirects=false'), [302, `${base}/`, false]);
    assert.deepEqual(await read('/hop', ''), [200, null, false]);
    assert.deepEqual(await read('/head', '&timeout=1000'), [200, null, true]);
  });

  it('503: without a browser, render=true is not available, and auto describes the fetched page', async () => {
    const refused = await service.call(`/v1/meta?url=${base}/&render=true`, key);
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await pick(refused)).error, 'unavailable');
    const fetched = await service.call(`/v1/meta?url=${base}/shell&render=auto&details=true`, key);
    const { title, details } = (await fetched.json()) as { title: string; details: { rendered: boolean } };
    assert.deepEqual([title, details.rendered], ['Shell', false]);
  });

  it('400: rendering that META_RENDER turns off is an invalid parameter', async () => {
    await using closed = await startApp({ META_RENDER: 'false' });
    const secret = await closed.createKey();
    for (const render of ['true', 'auto']) {
      const { error, param, message } = await pick(
        await closed.call(`/v1/meta?url=${base}/&render=${render}`, secret),
      );
      assert.deepEqual([error, param], ['invalid_parameter', 'render']);
      assert.match(String(message), /operator of this service has turned rendering off/);
    }
  });
});

/** Returns what an error says. */
async function pick(response: Response): Promise<Record<string, unknown>> {
  const { error, param, message } = (await response.json()) as Record<string, unknown>;
  return { error, param, message };
}
