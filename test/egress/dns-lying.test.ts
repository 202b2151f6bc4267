import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startDnsBench } from '../support/dns-resolver.ts';
import { startDnsServer } from '../support/dns-server.ts';

const lying = { outcome: 'failure', reason: 'lying_resolver' };

describe('NXDOMAIN counts only from a server that knows the top-level domain', () => {
  it('a server that denies everything is a failure', async () => {
    await using bench = await startDnsBench({ answer: () => ({ rcode: 'NXDOMAIN' }) });
    for (const name of ['gmail.com', 'mail.example.com', 'com']) {
      assert.deepEqual(await bench.resolver.query(name, 'MX'), lying, name);
    }
    assert.equal(bench.server.count('com', 'NS'), 1);
  });

  it('a server that denies everything is a failure, even with a SOA of the domain', async () => {
    const data = { mname: 'a', rname: 'b', minimum: 60 };
    await using bench = await startDnsBench({
      answer: () => ({ rcode: 'NXDOMAIN', authorities: [{ type: 'SOA', name: 'com', ttl: 60, data }] }),
    });
    assert.deepEqual(await bench.resolver.query('gmail.com', 'MX'), lying);
  });

  it('a server of a closed network, which denies com, is a failure for other names', async () => {
    await using bench = await startDnsBench({
      zones: { 'intranet.example.com': { A: ['10.0.0.1'] } },
      answer: ({ name }) => (name === 'com' ? { rcode: 'NXDOMAIN' } : null),
    });
    assert.equal((await bench.resolver.query('intranet.example.com', 'A')).outcome, 'records');
    assert.deepEqual(await bench.resolver.query('gmail.com', 'MX'), lying);
  });

  it('an honest server gets one question per top-level domain, for any number of names', async () => {
    await using bench = await startDnsBench({});
    const names = Array.from({ length: 50 }, (_, i) => [`a${i}.com`, `b${i}.co.uk`]).flat();
    const answers = await Promise.all(names.map((name) => bench.resolver.query(name, 'A')));
    assert.ok(answers.every(({ outcome }) => outcome === 'nxdomain'));
    assert.deepEqual([bench.server.count('com'), bench.server.count('uk')], [1, 1]);
  });

  it('an existing name costs no such question', async () => {
    await using bench = await startDnsBench({ zones: { 'a.com': { A: ['192.0.2.1'] } } });
    await bench.resolver.query('a.com', 'A');
    await bench.resolver.query('a.com', 'MX');
    assert.equal(bench.server.count('com'), 0);
  });

  it('the verdict expires, so that a network that closes or opens is detected', async () => {
    let isClosed = false;
    await using bench = await startDnsBench({ answer: () => (isClosed ? { rcode: 'NXDOMAIN' } : null) });
    const { resolver, clock } = bench;
    assert.equal((await resolver.query('a.com', 'A')).outcome, 'nxdomain');
    isClosed = true;
    clock.advance(301);
    assert.deepEqual(await resolver.query('b.com', 'A'), lying);
    isClosed = false;
    clock.advance(31);
    assert.equal((await resolver.query('c.com', 'A')).outcome, 'nxdomain');
  });

  it('a top-level domain without an answer makes the denial a failure', async () => {
    await using bench = await startDnsBench({
      answer: ({ name }) => (name === 'com' ? { rcode: 'SERVFAIL' } : null),
    });
    assert.deepEqual(await bench.resolver.query('a.com', 'A'), { outcome: 'failure', reason: 'servfail' });
  });

  it('a forwarder that refuses NS questions gets one for an address', async () => {
    await using honest = await startDnsBench({
      answer: ({ type }) => (type === 'NS' ? { rcode: 'REFUSED' } : null),
    });
    assert.equal((await honest.resolver.query('a.com', 'MX')).outcome, 'nxdomain');
    assert.deepEqual([honest.server.count('com', 'NS'), honest.server.count('com', 'A')], [1, 1]);
    await using liar = await startDnsBench({
      answer: ({ type }) => ({ rcode: type === 'NS' ? 'REFUSED' : 'NXDOMAIN' }),
    });
    assert.deepEqual(await liar.resolver.query('a.com', 'MX'), lying);
  });

  it('one lying server among several does not matter', async () => {
    await using honest = await startDnsServer({});
    await using liar = await startDnsServer({ answer: () => ({ rcode: 'NXDOMAIN' }) });
    await using bench = await startDnsBench({}, { servers: [liar, honest] });
    assert.equal((await bench.resolver.query('nosuch.com', 'A')).outcome, 'nxdomain');
  });
});
