import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fastify } from 'fastify';
import { Drain } from './lifecycle.ts';

describe('the drain of a server', () => {
  it('closes the server, also one that does not listen', async () => {
    for (const listens of [false, true]) {
      const server = fastify();
      let closes = 0;
      server.addHook('onClose', async () => void (closes += 1));
      const drain = new Drain({ delayMs: 0 });
      const stop = drain.prepare(server);
      if (listens) await server.listen({ host: '127.0.0.1', port: 0 });
      else await server.ready();
      assert.equal(drain.isDraining, false);
      await stop();
      assert.deepEqual([drain.isDraining, closes, server.server.listening], [true, 1, false]);
      assert.equal(drain.signal.aborted, false);
    }
  });
});
