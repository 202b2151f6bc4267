import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLookupTxt } from '../../src/egress/lookup-mail.ts';
import { startDnsBench } from '../support/dns-resolver.ts';
import { settlesInTurn } from '../support/settles-in-turn.ts';

describe('the TXT records of a name', () => {
  it('are joined strings, queried once and then returned at once, without a hold', async () => {
    const long = 'v=spf1 '.padEnd(300, 'x');
    await using bench = await startDnsBench({ zones: { 'a.com': { TXT: ['one', long] } } });
    const lookupTxt = createLookupTxt(bench.resolver);
    let holds = 0;
    const look = () =>
      lookupTxt('a.com', undefined, undefined, (signal, lookUp) => {
        holds += 1;
        return lookUp(signal);
      });
    const facts = { outcome: 'records', texts: ['one', long] };
    assert.deepEqual(await look(), facts);
    const again = look();
    assert.ok(await settlesInTurn(again));
    assert.deepEqual(await again, facts);
    assert.deepEqual([holds, bench.server.count('a.com', 'TXT')], [1, 1]);
  });

  it('are none without records and without the name, and unknown if DNS fails', async () => {
    const zones = { 'a.com': {}, 'c.com': 'SERVFAIL' };
    await using bench = await startDnsBench({ zones });
    const lookupTxt = createLookupTxt(bench.resolver);
    assert.deepEqual(await lookupTxt('a.com'), { outcome: 'none' });
    assert.deepEqual(await lookupTxt('_dmarc.b.com'), { outcome: 'none' });
    assert.deepEqual(await lookupTxt('c.com'), { outcome: 'unknown', reason: 'servfail' });
  });

  it('are unknown after the time limit, which begins when there is room', async () => {
    await using bench = await startDnsBench({
      zones: { 'a.com': { TXT: ['one'] } },
      answer: ({ name }) => (name === 'slow.com' ? { drop: true } : null),
    });
    const lookupTxt = createLookupTxt(bench.resolver);
    const unknown = { outcome: 'unknown', reason: 'timeout' };
    assert.deepEqual(await lookupTxt('slow.com', undefined, 1), unknown);
    const facts = await lookupTxt('a.com', undefined, 200, async (signal, lookUp) => {
      await new Promise((resolve) => setTimeout(resolve, 250));
      return lookUp(signal);
    });
    assert.deepEqual(facts, { outcome: 'records', texts: ['one'] });
  });

  it('an aborted signal rejects with its reason', async () => {
    await using bench = await startDnsBench({ zones: {} });
    const reason = new Error('left');
    await assert.rejects(
      async () => createLookupTxt(bench.resolver)('a.com', AbortSignal.abort(reason)),
      (error) => error === reason,
    );
  });
});
