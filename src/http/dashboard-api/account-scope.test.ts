import assert from 'node:assert/strict';
import { it } from 'node:test';
import Fastify from 'fastify';
import { Type } from 'typebox';
import { strict } from '../schema.ts';
import { createAccountScope } from './account-scope.ts';

/** Sends what a handler returns for a route whose response has one number, `count`. */
async function respondWith(payload: unknown): Promise<{ status: number; body: unknown }> {
  await using app = Fastify();
  createAccountScope(app).get('/count', {
    schema: { response: { 200: strict({ count: Type.Integer(), note: Type.Optional(Type.String()) }) } },
    handler: async () => payload as { count: number },
  });
  const response = await app.inject('/count');
  return { status: response.statusCode, body: response.json() };
}

it('sends a response that matches its schema', async () => {
  assert.deepEqual(await respondWith({ count: 1 }), { status: 200, body: { count: 1 } });
  assert.deepEqual(await respondWith({ count: 1, note: undefined }), { status: 200, body: { count: 1 } });
});

it('fails a response that does not match its schema, instead of dropping or converting members', async () => {
  const faults: [payload: unknown, member: RegExp][] = [
    [{ count: 1, secret: 'x' }, /\/secret/],
    [{ count: '1' }, /\/count must be integer/],
    [{ count: null }, /\/count must be integer/],
    [{}, /must have required properties count/],
  ];
  for (const [payload, member] of faults) {
    const { status, body } = await respondWith(payload);
    assert.equal(status, 500, JSON.stringify(payload));
    assert.match((body as { message: string }).message, /^The response of GET \/count does not match/);
    assert.match((body as { message: string }).message, member);
  }
});

it('checks a body before its handler runs', async () => {
  await using app = Fastify();
  createAccountScope(app).post('/name', {
    schema: {
      body: strict({ name: Type.String({ maxLength: 3, description: 'text of at most 3 characters' }) }),
      response: { 200: strict({}) },
    },
    handler: async () => ({}),
  });
  const send = async (payload: object) => {
    const response = await app.inject({ method: 'POST', url: '/name', payload });
    return { status: response.statusCode, message: response.json().message };
  };
  assert.equal((await send({ name: 'Ann' })).status, 200);
  const rule = 'must be text of at most 3 characters.';
  assert.equal((await send({ name: 'Anna' })).message, `name ${rule}`);
  assert.equal((await send({})).message, `name is missing: it ${rule}`);
  assert.equal(
    (await send({ name: 'Ann', age: 3 })).message,
    'There is no member age here: the members are name.',
  );
  assert.match((await send([])).message, /^The body is not valid JSON/);
});
