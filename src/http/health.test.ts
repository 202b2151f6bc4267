import assert from 'node:assert/strict';
import { it } from 'node:test';
import fastify from 'fastify';
import { type ReadyPart, routeHealth } from './health.ts';

it('concurrent probes of /readyz share one check of the parts, and later ones check again', async () => {
  const checks: (() => void)[] = [];
  const parts: Record<string, ReadyPart> = { database: { ok: true, required: true } };
  await using app = fastify();
  routeHealth(app, {
    readParts: () => new Promise((resolve) => void checks.push(() => resolve(parts))),
    isDraining: () => false,
  });
  for (const round of [1, 2]) {
    const responses = Array.from({ length: 100 }, () => app.inject('/readyz'));
    while (checks.length < round) await new Promise((resolve) => void setImmediate(resolve));
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => void setImmediate(resolve));
    assert.equal(checks.length, round);
    checks.at(-1)?.();
    for (const { statusCode } of await Promise.all(responses)) assert.equal(statusCode, 200);
  }
});

it('strangers get neither the version nor the sandbox of the browser from /readyz, operators do', async () => {
  const facts = { sandbox: true, browserVersion: '140.0.7339.16' };
  await using app = fastify();
  routeHealth(app, {
    readParts: async () => ({ browser: { ok: true, required: false, slots: 4, facts } }),
    isDraining: () => false,
    operatorSecret: 'secret',
  });
  const read = async (authorization?: string): Promise<unknown> =>
    (await app.inject({ url: '/readyz', headers: { ...(authorization && { authorization }) } })).json();
  const shown = { ok: true, required: false, slots: 4 };
  for (const stranger of [undefined, 'Bearer undefined', 'Bearer Secret', 'secret'])
    assert.deepEqual(await read(stranger), { status: 'ready', parts: { browser: shown } });
  assert.deepEqual(await read('Bearer secret'), {
    status: 'ready',
    parts: { browser: { ...shown, ...facts } },
  });
});
