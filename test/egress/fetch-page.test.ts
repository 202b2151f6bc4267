import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ApiError } from '#errors';
import type { Egress } from '#egress';
import { openSiteEgress, SITE_ADDRESS, type SiteEgress } from '../support/site-egress.ts';
import { scaledMs } from '../support/patience.ts';

type FetchPage = Egress['fetchPage'];
type Head = Parameters<Parameters<FetchPage>[1]['start']>[0];

const MEBIBYTE = 1024 * 1024;

/** Fetches a page and collects its body; the reader stops after `wants` bytes. */
async function fetchText(
  { egress }: SiteEgress,
  url: string,
  options: { wants?: number; timeoutMs?: number; followRedirects?: boolean; signal?: AbortSignal } = {},
) {
  const { wants = Infinity, timeoutMs = scaledMs(5000), followRedirects = true, signal } = options;
  const chunks: Uint8Array[] = [];
  const heads: Head[] = [];
  let length = 0;
  const reader = {
    start(head: Head) {
      heads.push(head);
      return wants > 0;
    },
    write(chunk: Uint8Array) {
      chunks.push(chunk);
      length += chunk.length;
      return length < wants;
    },
  };
  const page = await egress.fetchPage(
    { client: 'a', url: new URL(url), followRedirects, timeoutMs },
    reader,
    signal,
  );
  return { ...page, heads, length, text: Buffer.concat(chunks).toString() };
}

const html = (response: ServerResponse, text: string, headers = {}) =>
  response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(text);

describe('fetchPage', () => {
  it('passes the head once, then the decoded body, and returns how it ended', async () => {
    await using world = await openSiteEgress({
      answer: (_request, response) =>
        html(response, '<title>x</title>', {
          'X-Mixed-Case': 'Yes',
          'set-cookie': ['a=1', 'b=2'],
          'cache-control': ['max-age=60', 'no-store'],
        }),
    });
    const page = await fetchText(world, `${world.origin}/path?q=1#fragment`);
    assert.equal(page.text, '<title>x</title>');
    assert.equal(page.end, 'complete');
    assert.equal(page.heads.length, 1);
    assert.equal(page.head.finalUrl, `${world.origin}/path?q=1`);
    assert.equal(page.head.headers.get('x-mixed-case'), 'Yes');
    assert.equal(page.head.headers.get('set-cookie'), 'a=1');
    assert.equal(page.head.headers.get('cache-control'), 'max-age=60, no-store');
    assert.deepEqual(page.visit.redirects, []);
  });

  it('returns the fragment of the last Location with one, else that of the request, and sends none', async () => {
    await using world = await openSiteEgress({
      answer: ({ url = '' }, response) =>
        url === '/end'
          ? html(response, 'end')
          : response.writeHead(302, { location: url === '/a' ? '/b#/item/5' : `/end${url.slice(2)}` }).end(),
    });
    const fragments = [];
    for (const path of ['/a#own', '/c#own', '/end#own', '/end'])
      fragments.push((await fetchText(world, world.origin + path)).fragment);
    assert.deepEqual(fragments, ['#/item/5', '#own', '#own', '']);
    assert.ok(world.site.requests.every((sent) => !sent.path.includes('#')));
  });

  it('sends another Accept, and follows fewer redirects, if the request says so', async () => {
    await using world = await openSiteEgress({
      answer: (_request, response) => response.writeHead(302, { location: `/${Math.random()}` }).end(),
    });
    const request = {
      client: 'a',
      url: new URL(world.origin),
      followRedirects: true,
      timeoutMs: scaledMs(5000),
    };
    const reader = { start: () => true, write: () => true };
    await assert.rejects(
      world.egress.fetchPage({ ...request, accept: 'image/*', maxRedirects: 2 }, reader),
      (error: ApiError) => error.code === 'unreachable',
    );
    assert.deepEqual(
      world.site.requests.map(({ headers }) => headers.accept),
      ['image/*', 'image/*', 'image/*'],
    );
  });

  it('sends User-Agent, Accept and Accept-Encoding, and no other header', async () => {
    await using world = await openSiteEgress();
    await fetchText(world, `${world.origin}/päth?q=ü`);
    const [request] = world.site.requests;
    assert.equal(request?.path, '/p%C3%A4th?q=%C3%BC');
    assert.deepEqual(request?.headers, {
      host: `public.test-zone.com:${world.site.port}`,
      connection: 'keep-alive',
      'user-agent': 'Mozilla/5.0 (compatible; UtilityAPI/0.1)',
      accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5',
      'accept-encoding': 'gzip, deflate, br, zstd',
    });
  });

  it('returns the reach of its address, and goes to no address beyond the reach that it is given', async () => {
    await using world = await openSiteEgress({ answer: (_request, response) => html(response, 'x') });
    assert.equal((await fetchText(world, world.origin)).reach, 'opened');
    // The connection that is open leads to the same site.
    const request = {
      client: 'a',
      url: new URL(world.origin),
      followRedirects: true,
      timeoutMs: scaledMs(5000),
    };
    const reader = { start: () => true, write: () => true };
    await world.egress.fetchPage({ ...request, reach: 'opened' }, reader);
    await assert.rejects(world.egress.fetchPage({ ...request, reach: 'public' }, reader), {
      code: 'unreachable',
    });
    assert.equal(world.site.requests.length, 2);
  });

  it('skips a 100 (Continue) without a request for it, and does not change a body that looks like one', async () => {
    const body = 'HTTP/1.1 100 Continue';
    await using world = await openSiteEgress({
      answer(_request, response) {
        response.writeContinue();
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length });
        response.flushHeaders();
        setImmediate(() => response.end(body));
      },
    });
    for (const path of ['/1', '/2']) assert.equal((await fetchText(world, world.origin + path)).text, body);
    assert.equal(world.site.connections, 1);
  });

  it('refuses an unknown coding, but only if the reader wants the body', async () => {
    await using world = await openSiteEgress({
      answer: (_request, response) => html(response, 'x', { 'content-encoding': 'aws-chunked' }),
    });
    await assert.rejects(fetchText(world, `${world.origin}/`), { message: /Content-Encoding is not one of/ });
    const page = await fetchText(world, `${world.origin}/`, { wants: 0 });
    assert.deepEqual([page.end, page.head.status], ['stopped', 200]);
  });

  it('stops when the reader does, before the body or within it', async () => {
    await using world = await openSiteEgress({
      answer: (_request, response) => html(response, 'x'.repeat(MEBIBYTE)),
    });
    const early = await fetchText(world, `${world.origin}/`, { wants: 0 });
    assert.deepEqual([early.end, early.length], ['stopped', 0]);
    const later = await fetchText(world, `${world.origin}/`, { wants: 1000 });
    assert.equal(later.end, 'stopped');
    assert.ok(later.length < MEBIBYTE);
  });

  it('passes 2 MiB of decoded bytes, and not one more', async () => {
    const body = { exact: 'x'.repeat(2 * MEBIBYTE), more: 'x'.repeat(3 * MEBIBYTE) };
    await using world = await openSiteEgress({
      answer(request, response) {
        html(response, request.url === '/more' ? body.more : body.exact);
      },
    });
    const exact = await fetchText(world, `${world.origin}/exact`);
    assert.deepEqual([exact.end, exact.length], ['complete', 2 * MEBIBYTE]);
    const more = await fetchText(world, `${world.origin}/more`);
    assert.deepEqual([more.end, more.length], ['capped', 2 * MEBIBYTE]);
  });

  it('caps a compressed body by its decoded bytes', async () => {
    const packed = gzipSync('x'.repeat(8 * MEBIBYTE));
    await using world = await openSiteEgress({
      answer: (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    });
    const page = await fetchText(world, `${world.origin}/`);
    assert.deepEqual([page.end, page.length], ['capped', 2 * MEBIBYTE]);
  });

  it('passes what can be decoded of a truncated body', async () => {
    const packed = gzipSync(Array.from({ length: 4000 }, (_, index) => `line ${index * 7919}`).join('\n'));
    await using world = await openSiteEgress({
      answer: (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed.subarray(0, packed.length - 8)),
    });
    const page = await fetchText(world, `${world.origin}/`);
    assert.equal(page.end, 'cut');
    assert.ok(page.text.endsWith(`line ${3999 * 7919}`), 'to the last byte');
  });

  it('rejects a body that is truncated before anything can be decoded', async () => {
    const packed = gzipSync('x'.repeat(1000)).subarray(0, 10);
    await using world = await openSiteEgress({
      answer: (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    });
    await assert.rejects(fetchText(world, `${world.origin}/`), { code: 'unreachable' });
  });

  it('passes what arrived before the connection was reset', async () => {
    await using world = await openSiteEgress({
      answer: (_request, response) => {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('abc', () => setImmediate(() => response.socket?.resetAndDestroy()));
      },
    });
    const page = await fetchText(world, `${world.origin}/`);
    assert.deepEqual([page.end, page.text], ['cut', 'abc']);
  });

  it('rejects with the error of the reader', async () => {
    const packed = gzipSync('x'.repeat(1000));
    await using world = await openSiteEgress({
      answer: (request, response) =>
        request.url === '/gzip'
          ? response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
          : html(response, 'x'),
    });
    const failure = new Error('a bug in the reader');
    const reader = {
      start: () => true,
      write: () => {
        throw failure;
      },
    };
    for (const path of ['/', '/gzip']) {
      const request = {
        client: 'a',
        url: new URL(`${world.origin}${path}`),
        followRedirects: true,
        timeoutMs: scaledMs(5000),
      };
      await assert.rejects(world.egress.fetchPage(request, reader), failure);
    }
  });
});

describe('fetchPage and redirects', () => {
  const walk: RequestListener = (request, response) => {
    const [, lane = '', digits = '0'] = /^\/([a-z]*)(\d+)/.exec(request.url ?? '') ?? [];
    const step = Number(digits);
    if (step === 0) html(response, `end ${request.headers.cookie ?? 'no cookies'}`);
    else
      response
        .writeHead(302, { location: `/${lane}${step - 1}#part`, 'set-cookie': `c${step}=${step}` })
        .end('moved');
  };

  it('follows ten, returns them, sends cookies, and uses one connection', async () => {
    await using world = await openSiteEgress({ answer: walk });
    const page = await fetchText(world, `${world.origin}/10`);
    assert.equal(page.head.finalUrl, `${world.origin}/0`);
    assert.equal(page.text, 'end c10=10; c9=9; c8=8; c7=7; c6=6; c5=5; c4=4; c3=3; c2=2; c1=1');
    const [first] = page.head.redirects;
    assert.deepEqual([first?.url, first?.status], [`${world.origin}/10`, 302]);
    assert.equal(first?.headers.get('location'), '/9#part');
    assert.equal(page.head.redirects.length, 10);
    assert.equal(world.site.connections, 1);
  });

  it('fails at the eleventh', async () => {
    await using world = await openSiteEgress({ answer: walk });
    await assert.rejects(fetchText(world, `${world.origin}/11`), {
      code: 'unreachable',
      message: /redirects more than 10 times/,
    });
  });

  it('keeps cookies and the number of redirects for the next page of a visit', async () => {
    await using world = await openSiteEgress({ answer: walk });
    const reader = { start: () => true, write: () => true };
    const fetchOn = async (path: string) => {
      const { visit } = await fetchText(world, `${world.origin}/6`);
      const url = new URL(`${world.origin}${path}`);
      return world.egress.fetchPage(
        { client: 'a', url, followRedirects: true, timeoutMs: scaledMs(5000), visit },
        reader,
      );
    };
    assert.equal((await fetchOn('/a4')).visit.redirects.length, 10);
    assert.match(world.site.requests.at(-1)?.headers.cookie ?? '', /c6=6/);
    await assert.rejects(fetchOn('/b5'), { code: 'unreachable', message: /redirects more than 10 times/ });
  });

  it('starts each visit with an empty jar', async () => {
    await using world = await openSiteEgress({ answer: walk });
    await fetchText(world, `${world.origin}/2`);
    assert.equal((await fetchText(world, `${world.origin}/0`)).text, 'end no cookies');
  });

  it('detects a loop, but not in a page that redirects to itself to set a cookie', async () => {
    await using world = await openSiteEgress({
      answer(request, response) {
        if (request.url === '/circle') response.writeHead(302, { location: '/circle' }).end();
        else if (request.headers.cookie === undefined)
          response.writeHead(302, { location: '/gate', 'set-cookie': 'seen=1' }).end();
        else html(response, 'in');
      },
    });
    await assert.rejects(fetchText(world, `${world.origin}/circle`), {
      code: 'unreachable',
      message: /in a circle/,
    });
    assert.equal((await fetchText(world, `${world.origin}/gate`)).text, 'in');
  });

  it('returns a redirect itself if it is not to be followed, or has no target', async () => {
    await using world = await openSiteEgress({
      answer: (request, response) =>
        response
          .writeHead(request.url === '/304' ? 304 : 301, request.url === '/away' ? { location: '/x' } : {})
          .end('moved'),
    });
    const page = await fetchText(world, `${world.origin}/away`, { followRedirects: false });
    assert.deepEqual(
      [page.head.status, page.text, page.head.finalUrl],
      [301, 'moved', `${world.origin}/away`],
    );
    assert.equal((await fetchText(world, `${world.origin}/nowhere`)).head.status, 301);
    assert.equal((await fetchText(world, `${world.origin}/304`)).head.status, 304);
  });
});

/** Sends a response as raw bytes and closes the connection. */
const sendRaw = (response: ServerResponse, head: string[], body = '') =>
  response.socket?.end(`${['HTTP/1.1 200 OK', ...head].join('\r\n')}\r\n\r\n${body}`);

describe('fetchPage and the size of a response', () => {
  it('accepts 1,000 header fields, and not one more', async () => {
    await using world = await openSiteEgress({
      answer({ url }, response) {
        const fields = Array.from({ length: Number(url?.slice(1)) }, (_, index) => `x-${index}: 1`);
        sendRaw(response, fields, 'x');
      },
    });
    assert.equal((await fetchText(world, `${world.origin}/1000`)).text, 'x');
    await assert.rejects(fetchText(world, `${world.origin}/1001`), { code: 'unreachable' });
  });

  it('accepts 64 KiB of header fields, and refuses more', async () => {
    await using world = await openSiteEgress({
      answer: ({ url }, response) => sendRaw(response, [`x: ${'1'.repeat(Number(url?.slice(1)))}`], 'x'),
    });
    assert.equal((await fetchText(world, `${world.origin}/65000`)).text, 'x');
    await assert.rejects(fetchText(world, `${world.origin}/65600`), { message: /not valid HTTP/ });
  });

  it('accepts 16 interim responses, and not one more', async () => {
    await using world = await openSiteEgress({
      answer({ url }, response) {
        for (let sent = 0; sent < Number(url?.slice(1)); sent += 1) response.writeProcessing();
        html(response, 'x');
      },
    });
    assert.equal((await fetchText(world, `${world.origin}/16`)).text, 'x');
    const message = 'The target URL could not be read: its host sends more than 16 interim responses (1xx).';
    await assert.rejects(fetchText(world, `${world.origin}/17`), { code: 'unreachable', message });
  });

  it('refuses a 101 that was not requested, with and without an upgrade', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    await using world = await openSiteEgress({
      answer: ({ url }, response) =>
        response.socket?.end(`HTTP/1.1 101 Switching Protocols\r\n${url === '/upgrade' ? upgrade : ''}\r\n`),
    });
    for (const path of ['/upgrade', '/bare'])
      await assert.rejects(fetchText(world, world.origin + path), {
        code: 'unreachable',
        message: /its host switches to another protocol \(101\)/,
      });
  });

  it('reads at most 16 MiB from the socket, whatever part of them is the body', async () => {
    await using world = await openSiteEgress({
      answer({ url }, response) {
        const extension = `1;${'x'.repeat(MEBIBYTE / 64)}\r\nx\r\n`;
        const chunks = extension.repeat(64 * Number(url?.slice(1)));
        sendRaw(response, ['transfer-encoding: chunked'], `${chunks}0\r\n\r\n`);
      },
    });
    assert.equal((await fetchText(world, `${world.origin}/12`)).length, 64 * 12);
    await assert.rejects(fetchText(world, `${world.origin}/40`), {
      code: 'unreachable',
      message: /its response has more than 16777216 bytes, headers and framing included/,
    });
  });

  it('follows a Location of 8,192 bytes, and no longer one', async () => {
    await using world = await openSiteEgress({
      answer({ url }, response) {
        const length = Number(/^\/to(\d+)$/.exec(url ?? '')?.[1] ?? 0);
        if (length === 0) html(response, 'x');
        else response.writeHead(302, { location: `/${'x'.repeat(length - 1)}` }).end();
      },
    });
    assert.equal((await fetchText(world, `${world.origin}/to8192`)).text, 'x');
    await assert.rejects(fetchText(world, `${world.origin}/to8193`), { code: 'unreachable' });
  });
});

describe('fetchPage and time', () => {
  it('fails with timeout before the head, and keeps the body that arrived after it', async () => {
    await using world = await openSiteEgress({
      answer(request, response) {
        if (request.url === '/body')
          response.writeHead(200, { 'content-type': 'text/html' }).write('<title>');
      },
    });
    await assert.rejects(fetchText(world, `${world.origin}/head`, { timeoutMs: 100 }), {
      code: 'timeout',
      message: /within 100 ms/,
    });
    const page = await fetchText(world, `${world.origin}/body`, { timeoutMs: scaledMs(100) });
    assert.deepEqual([page.end, page.text], ['timeout', '<title>']);
  });

  it('has one deadline for lookup, redirects and waiting for a place', async () => {
    await using world = await openSiteEgress({
      answer: (_request, response) =>
        void setTimeout(() => response.writeHead(302, { location: `/${Math.random()}` }).end(), 40),
      egress: { connectionsPerHost: 1 },
    });
    const startedAt = performance.now();
    const outcomes = await Promise.allSettled([
      fetchText(world, 'http://slow.test-zone.com/', { timeoutMs: 150 }),
      fetchText(world, `${world.origin}/a`, { timeoutMs: 150 }),
      fetchText(world, `${world.origin}/b`, { timeoutMs: 150 }),
      fetchText(world, `${world.origin}/c`, { timeoutMs: 150 }),
    ]);
    assert.ok(performance.now() - startedAt < scaledMs(1000));
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as ApiError).code),
      ['timeout', 'timeout', 'timeout', 'timeout'],
    );
  });

  it("rejects with the caller's own reason when the caller aborts", async () => {
    await using world = await openSiteEgress({ answer: () => {} });
    const controller = new AbortController();
    const reason = new Error('the client went away');
    const fetching = fetchText(world, `${world.origin}/`, { signal: controller.signal });
    while (world.site.requests.length === 0) await new Promise(setImmediate);
    controller.abort(reason);
    await assert.rejects(fetching, reason);
    await assert.rejects(fetchText(world, `${world.origin}/`, { signal: controller.signal }), reason);
  });

  it('leaves no connection open when it fails', async () => {
    const open = new Set<object>();
    await using world = await openSiteEgress({
      answer(request) {
        open.add(request.socket);
        request.socket.on('close', () => open.delete(request.socket));
      },
    });
    await Promise.allSettled(
      Array.from({ length: 12 }, () => fetchText(world, `${world.origin}/`, { timeoutMs: 500 })),
    );
    while (open.size > 0) await new Promise(setImmediate);
    assert.ok(world.site.connections >= 5, 'all but one of the places at the host');
  });
});

describe('fetchPage and its connections', () => {
  it('are at most connectionsPerHost at once, and then serve those that wait', async () => {
    let busy = 0;
    let most = 0;
    await using world = await openSiteEgress({
      answer(_request, response) {
        busy += 1;
        most = Math.max(most, busy);
        setImmediate(() => {
          busy -= 1;
          html(response, 'x');
        });
      },
      egress: { connectionsPerHost: 3 },
    });
    await Promise.all(Array.from({ length: 40 }, (_, index) => fetchText(world, `${world.origin}/${index}`)));
    assert.ok(most <= 3, `${most} at once`);
    assert.ok(world.site.connections <= 3);
    assert.equal(world.site.requests.length, 40);
  });

  it('are reused for the next request, unless the host has closed them', async () => {
    await using world = await openSiteEgress({ answer: (_request, response) => html(response, 'x') });
    await fetchText(world, `${world.origin}/1`);
    await fetchText(world, `${world.origin}/2`);
    assert.equal(world.site.connections, 1);
    world.site.dropConnections();
    assert.equal((await fetchText(world, `${world.origin}/3`)).text, 'x');
    assert.equal(world.site.connections, 2);
  });

  it('are reused after a short rest of the body is discarded', async () => {
    await using world = await openSiteEgress({
      answer({ url }, response) {
        if (url === '/whole') html(response, 'x'.repeat(100_000));
        else response.writeHead(200).write('x'.repeat(50_000), () => response.end('the end'));
      },
      egress: { connectionsPerHost: 1 },
    });
    for (const path of ['/whole', '/pieces', '/whole', '/pieces']) {
      const page = await fetchText(world, `${world.origin}${path}`, { wants: 1000 });
      assert.equal(page.end, 'stopped');
    }
    assert.equal(world.site.connections, 1);
  });

  it('are closed if the rest is long or does not arrive, without delaying the result', async () => {
    const open = new Set<object>();
    await using world = await openSiteEgress({
      answer(request, response) {
        open.add(request.socket);
        request.socket.on('close', () => open.delete(request.socket));
        if (request.url === '/long') response.writeHead(200, { 'content-length': 10 * MEBIBYTE });
        response.write('x'.repeat(2000));
        if (request.url === '/endless') response.on('drain', () => response.write('x'.repeat(MEBIBYTE)));
        if (request.url === '/endless') response.write('x'.repeat(MEBIBYTE));
      },
      egress: { connectionsPerHost: 1 },
    });
    for (const path of ['/long', '/silent', '/endless', '/silent']) {
      const start = performance.now();
      const page = await fetchText(world, `${world.origin}${path}`, { wants: 1000 });
      assert.equal(page.end, 'stopped');
      assert.ok(performance.now() - start < scaledMs(1500));
    }
    while (open.size > 0) await new Promise(setImmediate);
    assert.equal(world.site.connections, 4);
  });

  it('carry a request again if a reused one closes without a byte of a response', async () => {
    let seen = 0;
    await using world = await openSiteEgress({
      answer(request, response) {
        seen += 1;
        if (seen === 2) request.socket.destroy();
        else html(response, 'x');
      },
    });
    await fetchText(world, `${world.origin}/1`);
    assert.equal((await fetchText(world, `${world.origin}/2`)).text, 'x');
    assert.equal(seen, 3);
  });

  it('do not carry it again if it was a new one', async () => {
    await using world = await openSiteEgress({ answer: (request) => void request.socket.destroy() });
    await assert.rejects(fetchText(world, `${world.origin}/`), { code: 'unreachable' });
    assert.equal(world.site.requests.length, 1);
  });

  it('are checked again before they are reused, and closed at their age', async () => {
    const endpoints: { address: string; port: number }[] = [];
    await using world = await openSiteEgress({ policy: { denyEndpoints: () => endpoints } });
    await fetchText(world, `${world.origin}/`);
    world.clock.now += 31_000;
    await fetchText(world, `${world.origin}/`);
    await fetchText(world, `${world.origin}/`);
    assert.equal(world.site.connections, 2);
    endpoints.push({ address: SITE_ADDRESS, port: world.site.port });
    await assert.rejects(fetchText(world, `${world.origin}/`), { code: 'unreachable' });
    assert.equal(world.site.requests.length, 3);
  });

  it('are not reused with keepAliveMs 0', async () => {
    await using world = await openSiteEgress({ egress: { keepAliveMs: 0 } });
    for (let index = 0; index < 3; index += 1) await fetchText(world, `${world.origin}/`);
    assert.equal(world.site.connections, 3);
    assert.equal(world.site.requests[0]?.headers.connection, 'close');
  });
});

describe('fetchPage and the policy', () => {
  it('fails with one message for private, missing, refused and closed targets', async () => {
    await using world = await openSiteEgress();
    const messages = await Promise.all(
      [
        'http://10.0.0.5/',
        'http://[::1]/',
        'http://localhost/',
        'http://ten.test-zone.com/',
        'http://nowhere.test-zone.com/',
        'http://servfail.test-zone.com/',
        `http://${SITE_ADDRESS}:1/`,
        `${world.origin}/r?${encodeURIComponent('http://127.0.0.1/')}`,
      ].map((url) =>
        fetchText(world, url).then(
          () => 'reached',
          (error: ApiError) => error.message,
        ),
      ),
    );
    assert.deepEqual(
      new Set(messages),
      new Set([
        'The target URL could not be reached: its name does not resolve, or its host does not answer.',
      ]),
    );
  });

  it('names a port that is not permitted, equally for every address and without a lookup', async () => {
    await using world = await openSiteEgress({ policy: { allowCidrs: [] } });
    const message =
      'The target URL could not be reached: this service does not fetch port 5432 of this host; of public hosts it fetches 80, 443.';
    for (const host of ['10.0.0.5', '8.8.8.8', 'ten.test-zone.com', 'nowhere.test-zone.com']) {
      await assert.rejects(fetchText(world, `http://${host}:5432/`), { code: 'unreachable', message });
    }
    assert.deepEqual(world.dns.server.questions, []);
  });

  it('names it also if ranges are allowed, except for targets in them', async () => {
    await using world = await openSiteEgress();
    for (const host of ['10.0.0.5', '8.8.8.8', 'ten.test-zone.com', 'nowhere.test-zone.com']) {
      await assert.rejects(fetchText(world, `http://${host}:5432/`), { message: /does not fetch port 5432/ });
    }
    assert.equal((await fetchText(world, `${world.origin}/`)).head.status, 200);
  });

  it('sends no byte if the connected peer is not permitted', async () => {
    let judged = 0;
    // Permitted when vetted, not when connected.
    const denyEndpoints = () => (++judged > 1 ? [{ address: SITE_ADDRESS, port: world.site.port }] : []);
    await using world = await openSiteEgress({ policy: { denyEndpoints } });
    await assert.rejects(fetchText(world, `${world.origin}/`), { code: 'unreachable' });
    assert.equal(judged, 2);
    assert.deepEqual(world.site.requests, []);
  });

  it('fails fetches in flight when it is closed', async () => {
    await using world = await openSiteEgress({ answer: () => world.egress.close() });
    await assert.rejects(fetchText(world, `${world.origin}/`), { code: 'unreachable' });
  });
});
