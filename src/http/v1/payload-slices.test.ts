import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import Fastify from 'fastify';
import { hasLongText, serializeInSlices, toPayload } from './payload-slices.ts';

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

const FILL = 64 * 1024 - 1;

for (const [name, text] of Object.entries({
  'plain text': 'x'.repeat(200_000),
  'text to escape': '"\\\u0001\n'.repeat(50_000),
  'a surrogate pair on the border of two slices': `${'x'.repeat(FILL)}😀${'y'.repeat(FILL)}😀`,
  'lone surrogates on the border': `${'x'.repeat(FILL)}\ud83d${'x'.repeat(FILL)}\ude00x`,
  'two high surrogates and a low one on the border': `${'x'.repeat(FILL)}\ud83d\ud83d\ude00`,
  'nothing but surrogate pairs': '😀'.repeat(100_000),
}))
  it(`${name} in slices is what JSON.stringify writes`, async () => {
    const value = {
      email: text,
      valid: false,
      did_you_mean: null,
      domain: text,
      details: { list: [1, 'é'] },
    };
    let json = '';
    for await (const piece of serializeInSlices(value)) {
      assert.ok(piece.length <= 6 * (FILL + 2));
      json += piece;
    }
    assert.equal(json, JSON.stringify(value));
    assert.ok(hasLongText(value));
    assert.ok(!hasLongText({ ...value, email: 'short', domain: '' }));
  });
