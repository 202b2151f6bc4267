import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Resource, ResourceBudget, ResourceFailure } from '#pdf';
import { openSiteEgress, statusOf, type SiteEgress } from '../support/site-egress.ts';
import { scaledMs } from '../support/patience.ts';

const budget = { maxBytes: 1_000_000, maxRequests: 50, timeoutMs: scaledMs(5000) };

function open({ egress, origin }: SiteEgress, limits: Partial<ResourceBudget> = {}) {
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

const UNREACHABLE = 'could not be reached: its name does not resolve, or its host does not answer';

/** Returns the resource. Throws if it was not fetched. */
function expectResource(outcome: Resource | ResourceFailure): Resource {
  if ('failure' in outcome) throw new Error(outcome.failure);
  return outcome;
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
    const resource = expectResource(await open(world)('/logo.png#x'));
    assert.equal(resource.status, 200);
    assert.deepEqual(Buffer.from(resource.body), image);
    assert.deepEqual(
      resource.headers.filter(([name]) => name !== 'date'),
      [
        ['content-type', 'image/png'],
        ['access-control-allow-origin', '*'],
      ],
    );
  });

  it('introduces itself as the page does whose script requests it', async () => {
    await using world = await openSiteEgress({
      answer: ({ headers }, response) =>
        response.end(`${headers['user-agent']} | ${headers['accept-language']}`),
    });
    const identity = world.egress.formatIdentity({ userAgent: 'browser', language: 'de, en;q=0.5' });
    const load = world.egress.openResourceFetcher({ ...budget, ...identity }, 'a');
    const headers = { 'Accept-Language': 'en-US' };
    const { body } = expectResource(await load({ url: world.origin, method: 'GET', headers }));
    assert.match(Buffer.from(body).toString(), /^Mozilla.* Chrome\/[\d.]+ Safari\/[\d.]+ \| de, en;q=0\.5$/);
    const browser = world.egress.formatIdentity({ userAgent: 'browser', language: null });
    assert.equal(browser.language, 'en-US,en;q=0.9', 'as its page was requested');
  });

  it('of a render of a page sends only GET and HEAD, and returns redirects', async () => {
    await using world = await openSiteEgress({
      answer: (request, response) =>
        request.url === '/hop'
          ? response.writeHead(302, { location: '/end' }).end('moved')
          : response.end(request.method === 'HEAD' ? '' : 'end'),
    });
    const load = world.egress.openResourceFetcher({ ...budget, isReadOnly: true }, 'a');
    const url = (path: string) => world.origin + path;
    const hop = expectResource(
      await load({ url: url('/hop'), method: 'GET', headers: {}, followsRedirects: false }),
    );
    assert.deepEqual([hop.status, hop.url], [302, url('/hop')]);
    assert.ok(hop.headers.some(([name, value]) => name === 'location' && value === '/end'));
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'post', 'TRACE'])
      assert.match(
        String(statusOf(await load({ url: url('/end'), method, headers: {} }))),
        /a method that is not/,
      );
    assert.equal(statusOf(await load({ url: url('/end'), method: 'HEAD', headers: {} })), 200);
    assert.deepEqual(
      world.site.requests.map(({ path }) => path),
      ['/hop', '/end'],
    );
  });

  it('has no reach beyond its own: the site is private, and opened by the operator', async () => {
    await using world = await openSiteEgress({});
    const request = { url: `${world.origin}/`, method: 'GET', headers: {} };
    const load = (reach: 'public' | 'opened') =>
      world.egress.openResourceFetcher({ ...budget, reach }, 'a')(request);
    assert.equal(statusOf(await load('opened')), 200);
    assert.match(String(statusOf(await load('public'))), /^could not be reached/);
    assert.equal(world.site.requests.length, 1);
  });

  it('returns error statuses of the host, and why a fetch failed', async () => {
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
    assert.equal(statusOf(await load('/missing')), 404);
    for (const [path, failure] of [
      ['/short', 'could not be read: its host disconnected before its end'],
      ['/odd', 'could not be read: its Content-Encoding is not one of gzip, deflate, br, zstd'],
      ['/reset', UNREACHABLE],
      ['data:text/plain,x', UNREACHABLE],
      ['file:///etc/passwd', UNREACHABLE],
      ['ftp://a.com/', UNREACHABLE],
      ['not a url', 'has a URL that is not valid, or longer than 4,096 characters'],
      ['blob:x', UNREACHABLE],
    ] as const) {
      assert.equal(statusOf(await load(path)), failure, path);
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
      assert.equal(statusOf(await load('/', { method, body })), 200, method);
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
      const status = statusOf(await load('/', { method, body }));
      assert.equal(status, 'was requested with a method that is not supported', method);
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
    const text = async (path: string) => Buffer.from(expectResource(await load(path, post)).body).toString();
    assert.equal(await text('/302/%2Fend'), 'GET secret undefined');
    assert.equal(await text('/303/%2Fend'), 'GET secret undefined');
    assert.equal(await text('/307/%2Fend'), 'POST secret a/b');
    const elsewhere = encodeURIComponent(`http://www.public.test-zone.com:${world.site.port}/end`);
    assert.equal(await text(`/308/${elsewhere}`), 'POST undefined a/b');
    assert.equal(expectResource(await load(`/302/${elsewhere}`)).url, decodeURIComponent(elsewhere));
    assert.equal(statusOf(await load('/302/http%3A%2F%2F127.0.0.1%2F')), UNREACHABLE);
    const endless = statusOf(await load('/302/%2F302%2F%252F302%252F'));
    assert.equal(endless, 'could not be reached: it redirects more than 10 times');
  });

  it('accepts URLs of 4,096 characters, and no longer ones', async () => {
    await using world = await openSiteEgress();
    const load = open(world);
    const longest = `/${'x'.repeat(4096 - world.origin.length - 1)}`;
    assert.equal(statusOf(await load(longest)), 200);
    assert.match(String(statusOf(await load(`${longest}x`))), /longer than 4,096 characters/);
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
    assert.equal(Buffer.from(expectResource(await load('/')).body).toString(), 'none');
    assert.equal(Buffer.from(expectResource(await load('/in')).body).toString(), 'none');
  });
});

describe('the budget of a render', () => {
  const TOO_LARGE = 'was not fetched: the resources of a document may have 0 MiB together';

  it('counts bytes over all resources, decoded', async () => {
    const packed = gzipSync('x'.repeat(60_000));
    await using world = await openSiteEgress({
      answer: (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    });
    const load = open(world, { maxBytes: 100_000 });
    assert.equal(expectResource(await load('/1')).body.length, 60_000);
    assert.equal(statusOf(await load('/2')), TOO_LARGE);
    const whole = expectResource(await open(world, { maxBytes: 60_000 })('/3'));
    assert.equal(whole.body.length, 60_000, 'exactly the budget');
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
    assert.equal(statusOf(await open(world, { maxBytes: 200_000 })('/')), TOO_LARGE);
    assert.ok(sent < 50_000_000);
  });

  it('is shared with other renders if they count down the same rest', async () => {
    await using world = await openSiteEgress({ answer: (_request, response) => response.end('xx') });
    const left = { bytes: 1000, requests: 3 };
    const loads = [open(world, { left }), open(world, { left })];
    for (const load of [...loads, loads[0]!]) expectResource(await load('/'));
    assert.deepEqual(left, { bytes: 994, requests: 0 });
    for (const load of loads) assert.match(String(statusOf(await load('/'))), /may make 50 requests/);
    assert.equal(world.site.requests.length, 3);
  });

  it('counts requests, including redirects', async () => {
    await using world = await openSiteEgress();
    const load = open(world, { maxRequests: 3 });
    assert.equal(statusOf(await load(`/r?${encodeURIComponent('/a')}`)), 200);
    assert.equal(statusOf(await load('/b')), 200);
    assert.equal(statusOf(await load('/c')), 'was not fetched: a document may make 3 requests');
    assert.equal(world.site.requests.length, 3);
  });

  it('has one deadline for all its requests, separate from other renders', async () => {
    await using world = await openSiteEgress({
      answer: (request, response) => (request.url === '/slow' ? undefined : response.end('x')),
    });
    const load = open(world, { timeoutMs: 100 });
    const slow = await Promise.all([load('/slow'), load('/slow'), load('/slow')]);
    assert.deepEqual(slow.map(statusOf), Array(3).fill('did not answer in time'));
    assert.equal(statusOf(await load('/quick')), 'did not answer in time');
    assert.equal(statusOf(await open(world)('/quick')), 200);
  });

  it('fails when the caller aborts', async () => {
    await using world = await openSiteEgress({ answer: () => {} });
    const fetchResource = world.egress.openResourceFetcher(budget, 'a');
    const signal = AbortSignal.timeout(50);
    const outcome = await fetchResource({ url: `${world.origin}/`, method: 'GET', headers: {} }, signal);
    assert.equal(statusOf(outcome), 'did not answer in time');
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
