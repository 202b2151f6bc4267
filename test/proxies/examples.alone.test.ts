/** The examples of proxies with TLS before one process: deploy/Caddyfile and deploy/nginx.single.conf. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { MAX_PDF_BODY_BYTES } from '#http';
import { findFreePorts } from '../support/free-ports.ts';
import { startApp } from '../support/start-app.ts';
import { skipCaddy, startCaddy } from './start-caddy.ts';
import { skipNginxSingle, startNginxSingle } from './start-nginx.ts';
import { call, openCall, type TlsProxy } from './tls-call.ts';

interface Upstream extends AsyncDisposable {
  port: number;
  server: Server;
}

async function startUpstream(server: Server): Promise<Upstream> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Defines the tests of a proxy. `start` starts it before a server on a port. */
function testProxy(trustProxy: string, start: (port: number) => Promise<TlsProxy>): void {
  it(`with TRUST_PROXY=${trustProxy}, clients are counted by their address, whatever header they send`, async () => {
    const settings = { TRUST_PROXY: trustProxy, UNAUTHENTICATED_PER_MINUTE: '1' };
    await using service = await startApp(settings, { now: () => 1_800_000_000_000 });
    await using proxy = await start(service.port);
    const send = async (from: string, headers = {}): Promise<number> =>
      (await call(proxy.target, '/v1/email/validate?email=a@b.invalid', { from, headers })).status;
    assert.deepEqual([await send('127.0.0.2'), await send('127.0.0.2')], [401, 429]);
    assert.equal(await send('127.0.0.3'), 401);
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip'])
      assert.equal(await send('127.0.0.2', { [name]: '192.0.2.1' }), 429, name);
    // A client that names another one does not use up its requests.
    assert.equal(await send('127.0.0.3', { 'x-forwarded-for': '127.0.0.4' }), 429);
    assert.equal(await send('127.0.0.4'), 401);
  });

  it('the service learns the name and the protocol of the request, not those that a client claims', async () => {
    const server = createServer(({ headers }, response) => response.end(JSON.stringify(headers)));
    await using upstream = await startUpstream(server);
    await using proxy = await start(upstream.port);
    const claims = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const { body } = await call(proxy.target, '/', { headers: claims });
    const headers = JSON.parse(body.toString()) as Record<string, string>;
    assert.equal(headers['host'], proxy.target.host);
    assert.equal(headers['x-forwarded-host'], proxy.target.host);
    assert.equal(headers['x-forwarded-proto'], 'https');
  });

  it('the longest body that the service accepts arrives whole', async () => {
    let received = 0;
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => (received += chunk.length));
      request.on('end', () => response.end(String(received)));
    });
    await using upstream = await startUpstream(server);
    await using proxy = await start(upstream.port);
    const body = Buffer.alloc(MAX_PDF_BODY_BYTES, ' ');
    const reply = await call(proxy.target, '/v1/pdf/generate', { method: 'POST', body });
    assert.deepEqual([reply.status, reply.body.toString()], [200, String(MAX_PDF_BODY_BYTES)]);
  });

  it('the lines of a batch arrive one by one, each before the next is sent', async () => {
    const next = Promise.withResolvers<void>();
    const server = createServer((_, response) => {
      // The head of the service's own responses with lines.
      response.writeHead(200, {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'x-accel-buffering': 'no',
      });
      response.write('{"index":1}\n');
      void next.promise.then(() => response.end('{"index":0}\n'));
    });
    await using upstream = await startUpstream(server);
    await using proxy = await start(upstream.port);
    const response = await openCall(proxy.target, '/v1/email/validate/batch', { method: 'POST' });
    const [first] = (await once(response, 'data')) as [Buffer];
    assert.equal(first.toString(), '{"index":1}\n');
    next.resolve();
    const [second] = (await once(response, 'data')) as [Buffer];
    assert.equal(second.toString(), '{"index":0}\n');
    await once(response.resume(), 'end');
  });

  it('without the service, clients get an error of the API, and may try again', async () => {
    const [closed = 0] = await findFreePorts(1);
    await using proxy = await start(closed);
    const reply = await call(proxy.target, '/v1/meta');
    const body = JSON.parse(reply.body.toString()) as { error: string; request_id: string };
    assert.deepEqual([reply.status, body.error], [503, 'unavailable']);
    assert.match(body.request_id, /^[0-9a-f-]{32,36}$/);
    assert.equal(reply.headers['retry-after'], '2');
    assert.equal(reply.headers['cache-control'], 'no-store');
  });
}

describe('deploy/Caddyfile', { skip: skipCaddy }, () => testProxy('127.0.0.1', startCaddy));

describe('deploy/nginx.single.conf', { skip: skipNginxSingle }, () =>
  testProxy('127.0.0.1', startNginxSingle),
);

it('the service asks nginx not to hold back the lines of a batch', async () => {
  await using service = await startApp();
  const key = await service.createKey();
  const headers = { 'content-type': 'application/json', accept: 'application/x-ndjson' };
  for (const [path, body] of [
    ['/v1/email/validate/batch', '{"emails":["a@b.invalid"]}'],
    ['/v1/meta/batch', '{"urls":["http://127.0.0.1/"]}'],
  ] as const) {
    const response = await service.call(path, key, { method: 'POST', headers, body });
    assert.deepEqual([response.status, response.headers.get('x-accel-buffering')], [200, 'no'], path);
    await response.text();
  }
});
