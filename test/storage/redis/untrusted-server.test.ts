/** A server that refuses a part of what the service needs, or replies with something else. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { skipRedis, startRedis } from '../../support/redis.ts';
import { openReplica, waitUntil } from '../../support/replicas.ts';

const noon = Date.UTC(2026, 0, 1, 12);

describe('a user of Redis', { skip: skipRedis }, () => {
  it('that lacks a permission is refused at the start, with the permission', async () => {
    await using redis = await startRedis();
    const url = redis.url.replace('//', '//app:password@');
    for (const [rule, reason] of [
      ['resetchannels', /publish to the channel/],
      ['-subscribe', /'subscribe' command/],
      ['-publish', /can't run this command/],
      ['-zadd', /can't run this command/],
      ['-evalsha', /'evalsha' command/],
      ['%R~*', /key/],
    ] as const) {
      const keys = rule.startsWith('%') ? [rule] : ['~*', rule];
      await redis.client.call('acl', 'setuser', 'app', 'reset', 'on', '>password', '&*', '+@all', ...keys);
      await assert.rejects(openReplica({ url }), (error: Error) => {
        assert.equal(error.name, 'RedisRefusal', rule);
        assert.match(error.message, reason);
        return true;
      });
    }
  });

  it('with the permissions that docs/operate/scaling.md lists is accepted, and nothing of the check remains', async () => {
    await using redis = await startRedis();
    const page = await readFile(new URL('../../../docs/operate/scaling.md', import.meta.url), 'utf8');
    const [, rules = ''] = /^ACL SETUSER utility-api (.+)$/m.exec(page) ?? [];
    await redis.client.call('acl', 'setuser', 'utility-api', ...rules.split(' '));
    await using replica = await openReplica({
      url: redis.url.replace('//', '//utility-api:password@'),
      prefix: 'utility-api:',
      serverTimeMs: () => noon,
    });
    assert.ok((await replica.counter.consume('k', 600, 1, noon)).admitted);
    assert.ok(replica.link.messages.isListening);
    assert.equal(await redis.client.exists('utility-api:permissions'), 0);
    assert.deepEqual(replica.log, []);
  });
});

describe('a server whose replies belong to other calls', () => {
  it('counts as an outage: limits hold', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.setEncoding('latin1').on('data', (text: string) => {
        for (const _ of text.matchAll(/^\*\d+\r$/gm)) socket.write('+OK\r\n');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      await using replica = await openReplica({ url: `redis://127.0.0.1:${port}`, timeoutMs: 50 });
      let admitted = 0;
      for (let n = 0; n < 50; n++)
        if ((await replica.counter.consume('k', 10, 1, noon)).admitted) admitted += 1;
      assert.equal(admitted, 10);
      assert.equal(replica.link.replicas, 1);
      await waitUntil(() => replica.link.outage !== null);
    } finally {
      server.close();
    }
  });
});
