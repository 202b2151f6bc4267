import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import type { EndedRequest } from '#telemetry';
import { meterRequest } from './observe-requests.ts';

/** More than the buffers of two sockets hold. */
const LARGE_BYTES = 64 * 1024 * 1024;

describe('meterRequest', () => {
  it('499: the client disconnects after the response was passed to Node, before all of it was sent', async () => {
    const ended = Promise.withResolvers<EndedRequest>();
    const answered = Promise.withResolvers<void>();
    const app = Fastify();
    app.decorateRequest('operation', undefined);
    app.decorateRequest('isBatch', false);
    app.decorateRequest('startedAtMs', 0);
    app.addHook('onRequest', async (request, reply) =>
      meterRequest({ onStart() {}, onEnd: ended.resolve }, request, reply),
    );
    app.get('/', (_request, reply) => {
      void reply.send(Buffer.alloc(LARGE_BYTES));
      answered.resolve();
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await answered.promise;
    socket.resetAndDestroy();
    assert.equal((await ended.promise).status, 499);
    await app.close();
  });
});
