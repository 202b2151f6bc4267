import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { describe, it } from 'node:test';
import { hasty, startDnsBench } from '../support/dns-resolver.ts';
import type { DnsReply } from '../support/dns-server.ts';
import { patientMs } from '../support/patience.ts';

const silent = (): DnsReply => ({ drop: true });

function countOpenSockets(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}

describe('callers that abort', () => {
  it('get their own reason at once, and the others get the answer', async () => {
    await using bench = await startDnsBench({ zones: { 'a.com': { A: ['192.0.2.1'] } } });
    const gone = new AbortController();
    const reason = new Error('left');
    const leaving = bench.resolver.query('a.com', 'A', gone.signal);
    const staying = bench.resolver.query('a.com', 'A', new AbortController().signal);
    gone.abort(reason);
    await assert.rejects(leaving, (error) => error === reason);
    assert.equal((await staying).outcome, 'records');
    assert.equal(bench.server.questions.length, 1);
  });

  it('before the query are rejected, even if the answer is cached', async () => {
    await using bench = await startDnsBench({ zones: { 'a.com': { A: ['192.0.2.1'] } } });
    await bench.resolver.query('a.com', 'A');
    const reason = new Error('left');
    await assert.rejects(
      bench.resolver.query('a.com', 'A', AbortSignal.abort(reason)),
      (error) => error === reason,
    );
  });

  it('cancel the lookup when all have aborted: no timer is left, and the next caller starts a new one', async () => {
    let isSilent = true;
    await using bench = await startDnsBench({
      zones: { 'a.com': { A: ['192.0.2.1'] } },
      answer: () => (isSilent ? silent() : null),
    });
    const timers = countTimers();
    const gone = new AbortController();
    const asked = Array.from({ length: 5 }, () => bench.resolver.query('a.com', 'A', gone.signal));
    assert.ok(countTimers() > timers);
    gone.abort();
    const settled = await Promise.allSettled(asked);
    assert.ok(settled.every(({ status }) => status === 'rejected'));
    assert.equal(countTimers(), timers);
    isSilent = false;
    assert.equal((await bench.resolver.query('a.com', 'A')).outcome, 'records');
  });

  it('share one listener per signal, and are all rejected when it aborts', async () => {
    await using bench = await startDnsBench({ answer: silent });
    const gone = new AbortController();
    const asked = Array.from({ length: 200 }, (_, i) =>
      bench.resolver.query(`n${i % 50}.com`, 'A', gone.signal),
    );
    assert.equal(getEventListeners(gone.signal, 'abort').length, 1);
    gone.abort();
    const settled = await Promise.allSettled(asked);
    assert.ok(settled.every(({ status }) => status === 'rejected'));
  });

  it('leave no listener on their signal', async () => {
    await using bench = await startDnsBench({ zones: { 'a.com': { A: ['192.0.2.1'], ttl: 0 } } });
    const { signal } = new AbortController();
    for (let i = 0; i < 20; i += 1) await bench.resolver.query('a.com', 'A', signal);
    assert.equal(bench.server.questions.length, 20);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});

describe('bounds', () => {
  it('limit the lookups at once; the others wait', async () => {
    let open = 0;
    let most = 0;
    await using bench = await startDnsBench(
      {
        answer: ({ name }) => {
          open += 1;
          most = Math.max(most, open);
          setImmediate(() => (open -= 1));
          return { delayMs: 1, answers: [{ type: 'A', name, ttl: 60, data: '192.0.2.1' }] };
        },
      },
      { maxConcurrent: 7, maxQueued: 1000 },
    );
    const asked = Array.from({ length: 200 }, (_, i) => bench.resolver.query(`n${i}.com`, 'A'));
    const answers = await Promise.all(asked);
    assert.ok(answers.every(({ outcome }) => outcome === 'records'));
    assert.ok(most <= 7, String(most));
  });

  it('a caller that aborts in the queue releases no place', async () => {
    await using bench = await startDnsBench({ answer: silent }, { maxConcurrent: 1 });
    const [gone, still] = [new AbortController(), new AbortController()];
    const running = bench.resolver.query('running.com', 'A', still.signal);
    const leaving = ['a.com', 'b.com', 'c.com'].map((name) => bench.resolver.query(name, 'A', gone.signal));
    gone.abort();
    await Promise.allSettled(leaving);
    const waiting = bench.resolver.query('waiting.com', 'A', still.signal);
    await assert.rejects(bench.resolver.query('late.com', 'A', AbortSignal.timeout(50)));
    assert.equal(bench.server.count('waiting.com'), 0);
    still.abort();
    await Promise.allSettled([running, waiting]);
  });

  it('a lookup that starts in time may use the whole timeout', async () => {
    await using bench = await startDnsBench(
      {
        answer: ({ name }) => ({ delayMs: 600, answers: [{ type: 'A', name, ttl: 60, data: '192.0.2.1' }] }),
      },
      { maxConcurrent: 1, maxWaitMs: 1000 },
    );
    const [, second] = await Promise.all([
      bench.resolver.query('a.com', 'A'),
      bench.resolver.query('b.com', 'A'),
    ]);
    assert.equal(second.outcome, 'records');
  });

  it('a name that cannot be queried keeps no place', async () => {
    await using bench = await startDnsBench(
      { zones: { 'a.com': { A: ['192.0.2.1'] } } },
      { maxConcurrent: 1, maxQueued: 0 },
    );
    for (const name of ['a..com', 'b..com']) {
      const answer = await bench.resolver.query(name, 'A');
      assert.deepEqual(answer, { outcome: 'failure', reason: 'malformed' });
    }
    assert.equal((await bench.resolver.query('a.com', 'A')).outcome, 'records');
  });

  it('a lookup without servers keeps no place', async () => {
    await using bench = await startDnsBench({}, { servers: [], maxConcurrent: 1, maxQueued: 0 });
    for (const name of ['a.com', 'b.com'])
      assert.deepEqual(await bench.resolver.query(name, 'A'), { outcome: 'failure', reason: 'network' });
  });

  it('a full queue is `overloaded` at once, and that is not cached', async () => {
    await using bench = await startDnsBench({ answer: silent }, { maxConcurrent: 2, maxQueued: 3 });
    const gone = new AbortController();
    const held = Array.from({ length: 5 }, (_, i) => bench.resolver.query(`n${i}.com`, 'A', gone.signal));
    const shed = await bench.resolver.query('late.com', 'A');
    assert.deepEqual(shed, { outcome: 'failure', reason: 'overloaded' });
    gone.abort();
    await Promise.allSettled(held);
    const next = bench.resolver.query('late.com', 'A', AbortSignal.timeout(50));
    await assert.rejects(next);
    assert.equal(bench.server.count('late.com'), 1);
  });

  it('a lookup that waits too long is `overloaded`', async () => {
    await using bench = await startDnsBench({ answer: silent }, { ...hasty, maxConcurrent: 1 });
    const [, second] = await Promise.all([
      bench.resolver.query('a.com', 'A'),
      bench.resolver.query('b.com', 'A'),
    ]);
    assert.deepEqual(second, { outcome: 'failure', reason: 'overloaded' });
    assert.equal(bench.server.count('b.com'), 0);
  });

  it('an expired answer is served if the queue is full', async () => {
    let isSilent = false;
    await using bench = await startDnsBench(
      { zones: { 'a.com': { A: ['192.0.2.1'], ttl: 60 } }, answer: () => (isSilent ? silent() : null) },
      { maxConcurrent: 1, maxQueued: 0 },
    );
    await bench.resolver.query('a.com', 'A');
    isSilent = true;
    bench.clock.advance(61);
    const gone = new AbortController();
    const holding = bench.resolver.query('b.com', 'A', gone.signal);
    const answer = await bench.resolver.query('a.com', 'A');
    assert.equal(answer.outcome === 'records' && answer.stale, true);
    gone.abort();
    await assert.rejects(holding);
  });
});

describe('a slow domain', () => {
  it('does not delay others: its late answers do not move questions to TCP', async () => {
    await using bench = await startDnsBench(
      {
        answer: ({ name }) => ({
          delayMs: name.startsWith('slow') ? 150 : name === 'fine.com' ? 400 : 0,
          answers: [{ type: 'A', name, ttl: 60, data: '192.0.2.1' }],
        }),
      },
      { socketsPerServer: 1, questionsPerSocket: 1000 },
    );
    const gone = new AbortController();
    const slow = Array.from({ length: 150 }, (_, i) =>
      bench.resolver.query(`slow${i}.com`, 'A', gone.signal),
    );
    const fine = bench.resolver.query('fine.com', 'A');
    while (bench.server.questions.length < 151) await new Promise(setImmediate);
    gone.abort();
    await Promise.allSettled(slow);
    assert.equal((await fine).outcome, 'records');
    assert.deepEqual(
      bench.server.questions.filter(({ name }) => name === 'fine.com').map(({ transport }) => transport),
      ['udp'],
    );
  });

  it('leaves room: another domain is answered while thousands of its questions wait', async () => {
    await using bench = await startDnsBench({
      zones: { 'fine.com': { A: ['192.0.2.1'] } },
      answer: ({ name }) => (name.startsWith('slow') ? silent() : null),
    });
    const before = countOpenSockets();
    const gone = new AbortController();
    const slow = Array.from({ length: 2048 }, (_, i) =>
      bench.resolver.query(`slow${i}.com`, 'A', gone.signal),
    );
    assert.equal((await bench.resolver.query('fine.com', 'A')).outcome, 'records');
    assert.ok(countOpenSockets() - before < 64, 'many questions share a socket');
    gone.abort();
    await Promise.allSettled(slow);
  });
});

describe('close', () => {
  it('ends lookups in flight as failures, and fails later ones', async () => {
    await using bench = await startDnsBench({
      zones: { 'b.com': { A: ['192.0.2.1'] } },
      answer: ({ name }) => (name === 'a.com' ? silent() : null),
    });
    await bench.resolver.query('b.com', 'A');
    const before = countTimers();
    const inFlight = bench.resolver.query('a.com', 'A');
    const unsent = bench.resolver.query('c.com', 'A');
    bench.resolver.close();
    const failure = { outcome: 'failure', reason: 'network' };
    assert.deepEqual(await inFlight, failure);
    assert.deepEqual(await unsent, failure);
    assert.deepEqual(await bench.resolver.query('b.com', 'A'), failure);
    assert.equal(countTimers(), before);
    bench.resolver.close();
  });

  it('leaves no socket open, after any kind of reply', async () => {
    const before = countOpenSockets();
    {
      await using bench = await startDnsBench(
        {
          answer: ({ nth, transport, name }) => {
            if (name.startsWith('drop')) return { drop: true };
            if (name.startsWith('tcp'))
              return { truncate: true, ...(transport === 'tcp' && nth > 1 ? { drop: true } : {}) };
            return { answers: [] };
          },
        },
        { ...hasty, questionsPerSocket: 3 },
      );
      const names = Array.from({ length: 60 }, (_, i) => `${['drop', 'tcp', 'ok'][i % 3]}${i}.com`);
      const gone = new AbortController();
      const asked = names.map((name, i) => bench.resolver.query(name, 'A', i % 2 ? gone.signal : undefined));
      await asked[2];
      gone.abort();
      await Promise.allSettled(asked);
      assert.ok(countOpenSockets() - before < 80, 'retired sockets close by themselves');
    }
    for (let i = 0; i < 100 && countOpenSockets() > before; i += 1) await new Promise(setImmediate);
    assert.equal(countOpenSockets(), before);
  });

  it('sends no question afterwards, nor for the check of a denial', async () => {
    await using bench = await startDnsBench({
      answer: ({ name, type }) =>
        type === 'NS' ? silent() : name === 'a.com' ? { rcode: 'NXDOMAIN' } : null,
    });
    const asked = bench.resolver.query('a.com', 'MX');
    while (bench.server.count('com', 'NS') === 0) await new Promise(setImmediate);
    const before = countOpenSockets();
    bench.resolver.close();
    assert.deepEqual(await asked, { outcome: 'failure', reason: 'network' });
    for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
    assert.equal(bench.server.count('com', 'A'), 0);
    assert.ok(countOpenSockets() < before);
  });

  it('a socket that has the answer to its last question closes at once', async () => {
    await using bench = await startDnsBench({}, { questionsPerSocket: 1 });
    const before = countOpenSockets();
    await Promise.all(Array.from({ length: 10 }, (_, i) => bench.resolver.query(`n${i}.com`, 'A')));
    for (let i = 0; i < 100 && countOpenSockets() > before; i += 1) await new Promise(setImmediate);
    assert.equal(countOpenSockets(), before);
  });

  it('a socket that has sent its last question closes when that has timed out', async () => {
    await using bench = await startDnsBench({ answer: silent }, { ...hasty, questionsPerSocket: 1 });
    const before = countOpenSockets();
    const gone = new AbortController();
    const asked = Array.from({ length: 10 }, (_, i) => bench.resolver.query(`n${i}.com`, 'A', gone.signal));
    while (bench.server.questions.length < 10) await new Promise(setImmediate);
    assert.equal(countOpenSockets(), before + 10);
    gone.abort();
    await Promise.allSettled(asked);
    for (let i = 0; i < patientMs(500) && countOpenSockets() > before; i += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(countOpenSockets(), before);
  });

  it('an idle resolver does not keep the process alive', async () => {
    await using bench = await startDnsBench({ zones: { 'a.com': { A: ['192.0.2.1'] } } });
    const output = await runScript(
      bench.server.port,
      `console.log((await resolver.query('a.com', 'A')).outcome);`,
    );
    assert.equal(output, 'records\n');
  });
});

describe('without file descriptors left', () => {
  it('a lookup fails at once, and works again when there are some', async () => {
    await using bench = await startDnsBench({ zones: { 'a.com': { A: ['192.0.2.1'] } } });
    const output = await runScript(
      bench.server.port,
      `import { closeSync, openSync } from 'node:fs';
      const files = [];
      try { for (;;) files.push(openSync('/dev/null')); } catch {}
      const without = await resolver.query('a.com', 'A');
      for (const file of files) closeSync(file);
      console.log(without.reason, (await resolver.query('b.com', 'A')).outcome);`,
    );
    assert.equal(output, 'network nxdomain\n');
  });
});

/** Runs a script with a `resolver` and 100 file descriptors in its own process. Returns its output. */
async function runScript(port: number, body: string): Promise<string> {
  const script = `
    import { openResolver } from '../../src/egress/dns/open-resolver.ts';
    const resolver = openResolver({ servers: [{ host: '127.0.0.1', port: ${port} }], now: Date.now });
    ${body}`;
  const args = [
    '-c',
    'ulimit -n 100; exec "$0" "$@"',
    process.execPath,
    '--input-type=module-typescript',
    '--eval',
    script,
  ];
  const child = spawn('sh', args, { cwd: import.meta.dirname, timeout: patientMs(20_000) });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, output);
  return output;
}
