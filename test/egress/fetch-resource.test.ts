import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openSiteEgress, type SiteEgress } from '../support/site-egress.ts';

const budget = { maxBytes: 1_000_000, maxRequests: 50, timeoutMs: 5000 };

function open({ egress, origin }: SiteEgress, limits: Partial<typeof budget> = {}) {
  const fetchResource = egress.openResourceFetcher({ ...budget, ...limits }, 'a');
  return (
    path: string,
    request: { method?: string; headers?: Record<string, string>; body?: Uint8Array } = {},
  ) =>
    fetchResource({
      url: path.startsWith('/') ? `${origin}${path}` : path,
      method: 'GET',
      headers: {},
      ...request,
    });
}

describe('fetchResource', () => {
  it('returns a resource of any type, decoded, with the headers that still apply', async () => {
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]);
    await using world = await openSiteEgress({
      answer: (_request, response) =>
        response
          .writeHead(200, {
            'Content-Type': 'image/png',
            'Content-Encoding': 'gzip',
            'Access-Control-Allow-Origin': '*',
            'Set-Cookie': 'a=1',
            'Strict-Transport-Security': 'max-age=1',
          })
          .end(gzipSync(image)),
    });
    const resource = await open(world)('/logo.png#x');
    assert.equal(resource?.status, 200);
    assert.deepEqual(Buffer.from(resource.body), image);
    assert.deepEqual(
      resource.headers.filter(([name]) => name !== 'date'),
      [
        ['content-type', 'image/png'],
        ['access-control-allow-origin', '*'],
      ],
    );
  });

  it('returns error statuses of the host, and null for a failed fetch', async () => {
    await using world = await openSiteEgress({
      answer(request, response) {
        if (request.url === '/missing') response.writeHead(404).end('none');
        else if (request.url === '/short')
          response.writeHead(200, { 'content-length': 100 }).write('x', () => request.socket.destroy());
        else if (request.url === '/odd') response.writeHead(200, { 'content-encoding': 'odd' }).end('x');
        else request.socket.destroy();
      },
    });
    const load = open(world);
    assert.equal((await load('/missing'))?.status, 404);
    for (const path of [
      '/short',
      '/odd',
      '/reset',
      'data:text/plain,x',
      'file:///etc/passwd',
      'ftp://a.com/',
      'not a url',
      'blob:x',
    ]) {
      assert.equal(await load(path), null, path);
    }
  });

  it("sends the document's harmless headers, and never cookies, hosts or forwarding", async () => {
    await using world = await openSiteEgress();
    await open(world)('/', {
      headers: {
        Accept: 'image/avif',
        'Accept-Language': 'de',
        'Content-Type': 'text/plain',
        Authorization: 'Bearer own',
        Origin: 'null',
        Range: 'bytes=0-10',
        Cookie: 'session=1',
        Host: 'internal',
        Referer: 'http://intranet/',
        'X-Forwarded-For': '127.0.0.1',
        'Proxy-Authorization': 'Basic x',
        'Sec-Fetch-Mode': 'cors',
        'Metadata-Flavor': 'Google',
        Connection: 'upgrade',
        'Transfer-Encoding': 'chunked',
        'User-Agent': 'HeadlessChrome',
        'If-None-Match': 'a\r\nX-Evil: 1',
      },
    });
    const headers = world.site.requests[0]?.headers;
    assert.deepEqual(headers, {
      host: `public.test-zone.com:${world.site.port}`,
      connection: 'keep-alive',
      'user-agent': 'Mozilla/5.0 (compatible; UtilityAPI/0.1)',
      'accept-encoding': 'gzip, deflate, br, zstd',
      accept: 'image/avif',
      'accept-language': 'de',
      'content-type': 'text/plain',
      authorization: 'Bearer own',
      origin: 'null',
      range: 'bytes=0-10',
    });
  });

  it('sends a body, except with GET, and refuses methods that fetch() forbids', async () => {
    const seen: string[] = [];
    await using world = await openSiteEgress({
      answer(request, response) {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          seen.push(`${request.method} ${body}`);
          response.end('ok');
        });
      },
    });
    const load = open(world);
    const body = Buffer.from('data');
    for (const method of ['POST', 'put', 'PATCH', 'DELETE', 'OPTIONS', 'GET', 'HEAD']) {
      assert.equal((await load('/', { method, body }))?.status, 200, method);
    }
    assert.deepEqual(seen, [
      'POST data',
      'PUT data',
      'PATCH data',
      'DELETE data',
      'OPTIONS data',
      'GET ',
      'HEAD ',
    ]);
    for (const method of ['CONNECT', 'TRACE', 'TRACK', 'PURGE', 'GET / HTTP/1.1\r\nX: y', '']) {
      assert.equal(await load('/', { method, body }), null, method);
    }
  });

  it('follows redirects as a browser does, and sends no secret to another origin', async () => {
    await using world = await openSiteEgress({
      answer(request, response) {
        const [, status = '', target = ''] = /^\/(\d+)\/(.*)/.exec(request.url ?? '') ?? [];
        if (status === '')
          response.end(
            `${request.method} ${request.headers.authorization} ${request.headers['content-type']}`,
          );
        else response.writeHead(Number(status), { location: decodeURIComponent(target) }).end();
      },
    });
    const load = open(world);
    const post = {
      method: 'POST',
      body: Buffer.from('x'),
      headers: { authorization: 'secret', 'content-type': 'a/b' },
    };
    const text = async (path: string) => Buffer.from((await load(path, post))?.body ?? []).toString();
    assert.equal(await text('/302/%2Fend'), 'GET secret undefined');
    assert.equal(await text('/303/%2Fend'), 'GET secret undefined');
    assert.equal(await text('/307/%2Fend'), 'POST secret a/b');
    const elsewhere = encodeURIComponent(`http://www.public.test-zone.com:${world.site.port}/end`);
    assert.equal(await text(`/308/${elsewhere}`), 'POST undefined a/b');
    assert.equal((await load(`/302/${elsewhere}`))?.url, decodeURIComponent(elsewhere));
    assert.equal(await load('/302/http%3A%2F%2F127.0.0.1%2F'), null);
    assert.equal(await load('/302/%2F302%2F%252F302%252F'), null, 'a chain without an end');
  });

  it('accepts URLs of 4,096 characters, and no longer ones', async () => {
    await using world = await openSiteEgress();
    const load = open(world);
    const longest = `/${'x'.repeat(4096 - world.origin.length - 1)}`;
    assert.equal((await load(longest))?.status, 200);
    assert.equal(await load(`${longest}x`), null);
    assert.equal(world.site.requests.length, 1);
  });

  it('stores no cookies', async () => {
    await using world = await openSiteEgress({
      answer: (request, response) =>
        request.url === '/'
          ? response.writeHead(302, { location: '/in', 'set-cookie': 'a=1' }).end()
          : response.end(request.headers.cookie ?? 'none'),
    });
    const load = open(world);
    assert.equal(Buffer.from((await load('/'))?.body ?? []).toString(), 'none');
    assert.equal(Buffer.from((await load('/in'))?.body ?? []).toString(), 'none');
  });
});

describe('the budget of a render', () => {
  it('counts bytes over all resources, decoded', async () => {
    const packed = gzipSync('x'.repeat(60_000));
    await using world = await openSiteEgress({
      answer: (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    });
    const load = open(world, { maxBytes: 100_000 });
    assert.equal((await load('/1'))?.body.length, 60_000);
    assert.equal(await load('/2'), null);
    assert.equal((await open(world, { maxBytes: 60_000 })('/3'))?.body.length, 60_000, 'exactly the budget');
  });

  it('stops reading a body that is larger', async () => {
    let sent = 0;
    await using world = await openSiteEgress({
      answer(_request, response) {
        const pump = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536;
        };
        response.on('drain', pump);
        pump();
      },
    });
    assert.equal(await open(world, { maxBytes: 200_000 })('/'), null);
    assert.ok(sent < 50_000_000);
  });

  it('counts requests, including redirects', async () => {
    await using world = await openSiteEgress();
    const load = open(world, { maxRequests: 3 });
    assert.equal((await load(`/r?${encodeURIComponent('/a')}`))?.status, 200);
    assert.equal((await load('/b'))?.status, 200);
    assert.equal(await load('/c'), null);
    assert.equal(world.site.requests.length, 3);
  });

  it('has one deadline for all its requests, separate from other renders', async () => {
    await using world = await openSiteEgress({
      answer: (request, response) => (request.url === '/slow' ? undefined : response.end('x')),
    });
    const load = open(world, { timeoutMs: 100 });
    assert.deepEqual(await Promise.all([load('/slow'), load('/slow'), load('/slow')]), [null, null, null]);
    assert.equal(await load('/quick'), null);
    assert.equal((await open(world)('/quick'))?.status, 200);
  });

  it('returns null when the caller aborts', async () => {
    await using world = await openSiteEgress({ answer: () => {} });
    const fetchResource = world.egress.openResourceFetcher(budget, 'a');
    const signal = AbortSignal.timeout(50);
    assert.equal(await fetchResource({ url: `${world.origin}/`, method: 'GET', headers: {} }, signal), null);
  });

  it('shares connections within a render only', async () => {
    await using world = await openSiteEgress();
    const one = open(world);
    const other = open(world);
    await one('/1');
    await one('/2');
    assert.equal(world.site.connections, 1);
    await other('/3');
    assert.equal(world.site.connections, 2);
  });
});
