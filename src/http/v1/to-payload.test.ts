import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import Fastify from 'fastify';
import { toPayload } from './to-payload.ts';

it('a large payload reaches an injected request in slices, and others whole', async () => {
  const bytes = randomBytes(3_000_001);
  const sent: unknown[] = [];
  const app = Fastify();
  app.get('/', (request, reply) => {
    const payload = toPayload(request, bytes);
    sent.push(payload);
    return reply.header('content-length', bytes.length).send(payload);
  });
  try {
    const injected = await app.inject({ url: '/', payloadAsStream: true });
    const chunks = (await injected.stream().toArray()) as Buffer[];
    assert.ok(sent[0] instanceof Readable);
    assert.deepEqual(Buffer.concat(chunks), bytes);
    const response = await fetch(await app.listen({ port: 0, host: '127.0.0.1' }));
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
    assert.equal(sent[1], bytes);
  } finally {
    await app.close();
  }
});
