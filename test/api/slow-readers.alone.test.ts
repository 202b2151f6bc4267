/** The memory of its account that a response holds until its client has read it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as sendHttp, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { EmailReport } from '#email';
import { scaledMs } from '../support/patience.ts';
import { waitUntil } from '../support/replicas.ts';
import { openSignedIn, startAccountServer } from './account-server.ts';

const LENGTH = 500_000;
const REPORTS = 40;
const report: EmailReport = {
  email: 'x'.repeat(LENGTH),
  valid: false,
  disposable: false,
  mxFound: false,
  formatValid: false,
  didYouMean: null,
  domain: '',
  freeProvider: false,
};

it('the results of a batch are held until a slow client has read them', async () => {
  const server = await startAccountServer({
    async *validateEmails() {
      for (let n = 0; n < REPORTS; n += 1) yield report;
    },
  });
  try {
    const browser = await openSignedIn(server, 'slow@example.com');
    const { secret } = (await browser.post('/account/keys', { name: 'slow' })).body;
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.app.server.address() as AddressInfo;
    const request = sendHttp({
      port,
      path: '/v1/email/validate/batch',
      method: 'POST',
      headers: { 'x-api-key': secret, 'content-type': 'application/json' },
    });
    request.end('{"emails":["a@b.co"]}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const { held } = server.shares.getState('bodyBytes');
    assert.ok(held > REPORTS * LENGTH, String(held));
    assert.equal(Buffer.concat((await response.toArray()) as Buffer[]).length, held);
    assert.equal(server.shares.getState('bodyBytes').held, 0);
    assert.equal(server.shares.getState('emailRequests').held, 0);
  } finally {
    await server.close();
  }
});

it('the lines of a metadata batch are held until a slow client has read them, and no more are begun', async () => {
  const nulls = { title: null, description: null, image: null, url: null };
  let begun = 0;
  const server = await startAccountServer({
    async getMetadata({ url }) {
      begun += 1;
      return {
        url,
        title: 'x'.repeat(LENGTH),
        description: null,
        favicon: null,
        og: { ...nulls, type: null, siteName: null },
        twitter: { card: null, site: null, title: null, description: null, image: null },
        charset: null,
        language: null,
      };
    },
  });
  try {
    const browser = await openSignedIn(server, 'slow-lines@example.com');
    const { secret } = (await browser.post('/account/keys', { name: 'slow' })).body;
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.app.server.address() as AddressInfo;
    const request = sendHttp({
      port,
      path: '/v1/meta/batch',
      method: 'POST',
      headers: { 'x-api-key': secret, 'content-type': 'application/json', accept: 'application/x-ndjson' },
    });
    const urls = Array.from({ length: 60 }, (_, index) => `http://${index}.example/`);
    request.end(JSON.stringify({ urls }));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // The results are there at once: when no more are begun in many turns, the socket is full.
    for (let quietTurns = 0, last = 0; quietTurns < 200; quietTurns += 1) {
      await setImmediate();
      if (begun !== last) quietTurns = 0;
      last = begun;
    }
    assert.ok(begun < urls.length, `${begun} of ${urls.length}`);
    const { held } = server.shares.getState('bodyBytes');
    assert.ok(held > LENGTH && held < 14 * LENGTH, String(held));
    const lines = Buffer.concat((await response.toArray()) as Buffer[]);
    assert.equal(lines.toString().split('\n').length, urls.length + 1);
    assert.equal(begun, urls.length);
    assert.equal(server.shares.getState('bodyBytes').held, 0);
    assert.equal(server.shares.getState('metadataRequests').held, 0);
  } finally {
    await server.close();
  }
});

it('a client that never reads the results of its batch is disconnected, and their memory is freed', async () => {
  const server = await startAccountServer({
    async *validateEmails() {
      for (let n = 0; n < REPORTS; n += 1) yield report;
    },
  });
  try {
    const browser = await openSignedIn(server, 'never@example.com');
    const { secret } = (await browser.post('/account/keys', { name: 'never' })).body;
    assert.equal(server.app.server.timeout, 60_000);
    server.app.server.timeout = scaledMs(500);
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.app.server.address() as AddressInfo;
    const body = '{"emails":["a@b.co"]}';
    const client = connect(port, '127.0.0.1').pause();
    client.on('error', () => {});
    client.write(
      `POST /v1/email/validate/batch HTTP/1.1\r\nhost: x\r\nx-api-key: ${secret}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await waitUntil(() => server.shares.getState('bodyBytes').held > REPORTS * LENGTH);
    await waitUntil(() => server.shares.getState('bodyBytes').held === 0);
    assert.equal(server.shares.getState('emailRequests').held, 0);
    client.destroy();
  } finally {
    await server.close();
  }
});
