import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openSiteEgress } from '../support/site-egress.ts';

const options = { etag: null, maxBytes: 10_000 };

describe('fetchList', () => {
  it('returns the text and its ETag, after a redirect and a coding', async () => {
    await using world = await openSiteEgress({
      answer: (request, response) =>
        request.url === '/'
          ? response.writeHead(302, { location: '/list' }).end()
          : response
              .writeHead(200, { etag: '"v1"', 'content-encoding': 'gzip' })
              .end(gzipSync('a.com\nbücher.de\n')),
    });
    const list = await world.egress.fetchList(`${world.origin}/`, options);
    assert.deepEqual(list, { status: 'fresh', text: 'a.com\nbücher.de\n', etag: '"v1"' });
  });

  it('returns `not_modified` for the same ETag', async () => {
    await using world = await openSiteEgress({
      answer: (request, response) =>
        response.writeHead(request.headers['if-none-match'] === '"v1"' ? 304 : 200).end(),
    });
    assert.deepEqual(await world.egress.fetchList(`${world.origin}/`, { ...options, etag: '"v1"' }), {
      status: 'not_modified',
    });
    assert.deepEqual(await world.egress.fetchList(`${world.origin}/`, options), {
      status: 'fresh',
      text: '',
      etag: null,
    });
  });

  it('rejects a list that is refused, too large, truncated, not UTF-8 or missing', async () => {
    await using world = await openSiteEgress({
      answer(request, response) {
        if (request.url === '/large') response.end('x'.repeat(10_001));
        else if (request.url === '/short')
          response.writeHead(200, { 'content-length': 100 }).write('x', () => request.socket.destroy());
        else if (request.url === '/binary') response.end(Buffer.from([0xff, 0xfe, 0xfd]));
        else if (request.url === '/circle') response.writeHead(302, { location: '/circle' }).end();
        else response.writeHead(500).end();
      },
    });
    for (const path of ['/large', '/short', '/binary', '/circle', '/broken']) {
      await assert.rejects(world.egress.fetchList(`${world.origin}${path}`, options), path);
    }
    await assert.rejects(world.egress.fetchList('http://127.0.0.1/', options));
    await assert.rejects(world.egress.fetchList('nonsense', options));
    await assert.rejects(
      world.egress.fetchList(`${world.origin}/`, options, AbortSignal.abort(new Error('stop'))),
      /stop/,
    );
  });
});
