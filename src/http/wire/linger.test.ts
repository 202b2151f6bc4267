import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import type { FastifyReply } from 'fastify';
import { TinyChunksError } from './json/body-limits.ts';
import { LingeringSockets } from './linger.ts';
import { scaledMs } from '../../../test/support/patience.ts';

/** Opens a server that refuses each request with `error` before its body, and a client that sends one. */
async function sendRefused(error: ApiError) {
  const lingering = new LingeringSockets();
  const server = createServer((request, response) => {
    const reply = { header: (name: string, value: string) => response.setHeader(name, value) };
    lingering.closeAfterRefusal(request, reply as unknown as FastifyReply, error);
    response.end('refused');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  const [accepted] = (await once(server, 'connection')) as [Socket];
  client.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\nx');
  const chunks: Buffer[] = [];
  client.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(client, 'end');
  return {
    client,
    accepted,
    answer: String(Buffer.concat(chunks)),
    [Symbol.dispose]() {
      client.destroy();
      server.close();
    },
  };
}

void describe('a refusal before the end of the body', () => {
  void it('is sent whole, and what arrives is discarded until the client closes', async () => {
    using sent = await sendRefused(new ApiError('payload_too_large'));
    assert.match(sent.answer, /^HTTP\/1\.1 200 OK\r\nconnection: close\r\n[^]*refused$/i);
    assert.equal(sent.accepted.destroyed, false);
    sent.client.end(Buffer.alloc(999_999));
    await once(sent.accepted, 'close');
    assert.ok(sent.accepted.bytesRead > 999_999);
    assert.equal(sent.client.errored, null);
  });

  void it('closes the connection at once if the body arrives in tiny chunks', async () => {
    using sent = await sendRefused(new TinyChunksError());
    assert.match(sent.answer, /refused$/);
    if (!sent.accepted.closed)
      await once(sent.accepted, 'close', { signal: AbortSignal.timeout(scaledMs(1_500)) });
    assert.ok(sent.accepted.bytesRead < 200);
  });
});
