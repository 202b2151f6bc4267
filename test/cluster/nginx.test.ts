/** deploy/nginx.conf before servers that lose requests: which are sent again, and what clients get. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { MAX_PDF_BODY_BYTES } from '#http';
import { findFreePorts } from '../support/free-ports.ts';
import { skipNginx, startNginx } from '../support/nginx.ts';
import { startSteadyClients } from '../support/steady-clients.ts';

interface Upstream extends AsyncDisposable {
  port: number;
  /** The requests that it has read. */
  received: string[];
}

/** Starts a server that answers 200, or one that closes the connection after it has read a request. */
async function startUpstream(isLosing: boolean): Promise<Upstream> {
  const received: string[] = [];
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      received.push(`${request.method} ${request.url}`);
      // nginx leaves a server alone after a failure: the check that nginx has started is none.
      if (isLosing && request.url !== '/healthz') request.socket.destroy();
      else response.end(JSON.stringify(request.headers));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

describe('deploy/nginx.conf', { skip: skipNginx }, () => {
  it('a request that no replica has accepted is sent to another one, whatever its method', async () => {
    const [closed = 0] = await findFreePorts(1);
    await using working = await startUpstream(false);
    await using nginx = await startNginx([closed, working.port]);
    for (const path of ['/v1/pdf/generate', '/account/keys'])
      for (const method of ['GET', 'POST', 'DELETE'])
        assert.equal((await fetch(nginx.url + path, { method })).status, 200, `${method} ${path}`);
  });

  it('a POST that a replica has lost is sent again under /v1, where it changes nothing', async () => {
    await using losing = await startUpstream(true);
    await using working = await startUpstream(false);
    await using nginx = await startNginx([losing.port, working.port]);
    losing.received.length = 0;
    for (let n = 0; n < 20; n += 1) {
      const response = await fetch(`${nginx.url}/v1/pdf/generate`, { method: 'POST', body: '{}' });
      assert.equal(response.status, 200);
      await response.text();
    }
    assert.ok(losing.received.length > 0, 'some were lost');
    assert.equal(working.received.filter((request) => request === 'POST /v1/pdf/generate').length, 20);
  });

  it('a POST that a replica may have begun is not repeated elsewhere: it could create two keys', async () => {
    await using one = await startUpstream(true);
    await using other = await startUpstream(true);
    await using nginx = await startNginx([one.port, other.port]);
    one.received.length = other.received.length = 0;
    const response = await fetch(`${nginx.url}/account/keys`, { method: 'POST', body: '{}' });
    assert.equal(response.status, 503);
    assert.deepEqual([...one.received, ...other.received], ['POST /account/keys']);
  });

  it('without a replica, clients get an error of the API, and may try again', async () => {
    await using nginx = await startNginx(await findFreePorts(3));
    const response = await fetch(`${nginx.url}/v1/meta`);
    const body = (await response.json()) as { error: string; request_id: string };
    assert.deepEqual([response.status, body.error], [503, 'unavailable']);
    assert.equal(response.headers.get('retry-after'), '2');
    assert.match(body.request_id, /^[0-9a-f]{32}$/);
  });

  it('replaces X-Forwarded-For, and keeps the Host that the client used', async () => {
    await using working = await startUpstream(false);
    await using nginx = await startNginx([working.port]);
    const response = await fetch(nginx.url, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    const headers = (await response.json()) as Record<string, string>;
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(headers['host'], new URL(nginx.url).host);
  });

  it('forwards the longest body that the service accepts, and refuses longer ones with its error', async () => {
    const text = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8');
    const megabytes = Number(/client_max_body_size (\d+)m;/.exec(text)?.[1]);
    assert.ok(megabytes * 1024 * 1024 >= MAX_PDF_BODY_BYTES);
    await using working = await startUpstream(false);
    await using nginx = await startNginx([working.port]);
    const send = async (bytes: number): Promise<Response> =>
      fetch(`${nginx.url}/v1/pdf/generate`, { method: 'POST', body: Buffer.alloc(bytes, ' ') });
    assert.equal((await send(MAX_PDF_BODY_BYTES)).status, 200);
    const refused = await send(megabytes * 1024 * 1024 + 1);
    assert.equal(refused.status, 413);
    assert.equal(((await refused.json()) as { error: string }).error, 'payload_too_large');
  });

  // nginx closes idle connections of clients at a reload, when a request may be in transit on them.
  it('a reload exchanges the replicas and fails no request on a new connection', async () => {
    await using before = await startUpstream(false);
    await using after = await startUpstream(false);
    await using nginx = await startNginx([before.port]);
    const clients = startSteadyClients({
      url: nginx.url,
      key: '',
      requests: [
        { method: 'GET', path: '/' },
        { method: 'POST', path: '/account/keys', body: '{}' },
      ],
      clients: { keepAlive: 0, close: 4 },
      pauseMs: 1,
    });
    await nginx.reload([after.port]);
    while (after.received.length < 100) await setImmediate();
    assert.deepEqual(Object.keys(await clients.stop()), ['200']);
  });
});
