/**
 * The cases that are refused, on any machine: no socket of this process may even try. (egress-cases.test.ts
 * has the kernel's word for it, where it can.)
 */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ApiError } from '#errors';
import { openSiteEgress, type SiteEgress } from '../support/site-egress.ts';
import { readEgressCases } from '../support/site-cases.ts';

const refused = readEgressCases().filter(
  ({ surface, verdict, input }) =>
    surface === 'meta+pdf-subresource' &&
    verdict === 'BLOCKED' &&
    // These begin at the public host on port 80, which a loopback fixture has not, or need it not to be
    // opened with all its ports.
    !/^http:\/\/public\.test-zone\.com(?:\/r\?|:\d)/.test(input),
);

describe('what is refused is never dialed', () => {
  let world: SiteEgress;
  const attempts: string[] = [];
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address: string, port: number) => attempts.push(`${address} ${port}`));
  };

  before(async () => {
    world = await openSiteEgress({ policy: { denyCidrs: [] } });
    subscribe('net.client.socket', onSocket);
  });
  beforeEach(() => {
    attempts.length = 0;
  });
  after(async () => {
    unsubscribe('net.client.socket', onSocket);
    await world[Symbol.asyncDispose]();
  });

  it('sees every attempt, so that none is no accident', async () => {
    const request = { client: 'a', url: new URL(world.origin), followRedirects: true, timeoutMs: 5000 };
    await world.egress.fetchPage(request, { start: () => true, write: () => true });
    assert.deepEqual(attempts, [`127.93.184.15 ${world.site.port}`]);
  });

  for (const { id, input } of refused) {
    // The service's own address is not closed here: see the policy's own tests.
    if (id.startsWith('self')) continue;
    it(`${id} ${JSON.stringify(input).slice(0, 80)}`, async () => {
      const fetchResource = world.egress.openResourceFetcher(
        {
          maxBytes: 1e6,
          maxRequests: 5,
          timeoutMs: 5000,
        },
        'a',
      );
      assert.equal(await fetchResource({ url: input, method: 'GET', headers: {} }), null);
      const url = URL.parse(input);
      if (url !== null) {
        const fetching = world.egress.fetchPage(
          { client: 'a', url, followRedirects: true, timeoutMs: 5000 },
          { start: () => true, write: () => true },
        );
        await assert.rejects(fetching, (error) => error instanceof ApiError && error.code === 'unreachable');
      }
      assert.deepEqual(attempts, []);
    });
  }
});
