import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import type { Answer } from 'dns-packet';
import { hasty, startDnsBench } from '../support/dns-resolver.ts';
import { startDnsServer, type DnsReply } from '../support/dns-server.ts';
import { scaledMs } from '../support/patience.ts';

const TRUE_ADDRESS = '192.0.2.1';
/** Type, class, TTL, length and address of 203.0.113.66. */
const A_RECORD = '00010001000000f00004cb007142';
const address = (data: string): Answer => ({ type: 'A', name: 'example.com', ttl: 60, data });
const good: DnsReply = { answers: [address(TRUE_ADDRESS)] };
const forged: DnsReply = { answers: [address('203.0.113.66')] };
const records = { outcome: 'records', records: [TRUE_ADDRESS], ttlSeconds: 60, stale: false };

describe('forged answers', () => {
  const forgeries: [string, DnsReply][] = [
    ['with another id', { ...forged, wrongId: true }],
    ['to another question', { ...forged, wrongQuestion: 'example.org' }],
    ['without a question', { ...forged, wrongQuestion: 'none' }],
    ['from another port', { ...forged, wrongPort: true }],
    ['that are questions', { malformed: forgedMessage(0x0100) }],
    ['that are notifications', { malformed: forgedMessage(0xa180) }],
    ['shorter than a header', { malformed: Buffer.from('00008180', 'hex') }],
    ['of one octet', { malformed: Buffer.from('00', 'hex') }],
    ['of no octet', { malformed: Buffer.alloc(0) }],
  ];
  for (const [says, forgery] of forgeries) {
    it(`${says} are ignored, and the genuine one after them is used`, async () => {
      await using bench = await startDnsBench({ answer: () => [forgery, forgery, { ...good, delayMs: 5 }] });
      assert.deepEqual(await bench.resolver.query('example.com', 'A'), records);
      assert.equal(bench.server.questions.length, 1);
    });
    it(`${says} alone are a timeout`, async () => {
      await using bench = await startDnsBench({ answer: () => forgery }, hasty);
      assert.deepEqual(await bench.resolver.query('example.com', 'A'), {
        outcome: 'failure',
        reason: 'timeout',
      });
    });
  }

  it('in hundreds move the question to TCP', async () => {
    const flood = Array.from({ length: 70 }, () => ({ ...forged, wrongId: true }));
    await using bench = await startDnsBench({
      answer: ({ transport }) => (transport === 'udp' ? flood : good),
    });
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), records);
    assert.deepEqual(
      bench.server.questions.map(({ transport }) => transport),
      ['udp', 'tcp'],
    );
  });

  it('cannot guess port and id: questions use several ports, none of which lasts', async () => {
    await using bench = await startDnsBench(
      { answer: () => ({ rcode: 'NOERROR' }) },
      { questionsPerSocket: 10 },
    );
    for (let i = 0; i < 200; i += 1) await bench.resolver.query(`n${i}.com`, 'A');
    const uses = new Map<number, number>();
    for (const { clientPort } of bench.server.questions)
      uses.set(clientPort, (uses.get(clientPort) ?? 0) + 1);
    // Twenty sockets get ports from some 28,000, so that two of them can be equal by chance.
    assert.ok(uses.size >= 18, `${uses.size} ports`);
    assert.ok(Math.max(...uses.values()) <= 20);
    assert.ok(new Set(bench.server.questions.map(({ id }) => id)).size >= 190);
  });
});

describe('truncated and malformed answers', () => {
  it('truncated: repeated over TCP', async () => {
    const many = Array.from({ length: 250 }, (_, i) => address(`192.0.2.${i % 256}`));
    await using bench = await startDnsBench({ answer: () => ({ answers: many, truncate: true }) });
    const answer = await bench.resolver.query('example.com', 'A');
    assert.equal(answer.outcome === 'records' && answer.records.length, 250);
    assert.deepEqual(
      bench.server.questions.map(({ transport }) => transport),
      ['udp', 'tcp'],
    );
  });

  const brokenTcp: [string, DnsReply, string][] = [
    ['silent', { drop: true }, 'timeout'],
    ['cut short', { ...good, cutShort: true }, 'network'],
    ['of another id', { ...good, wrongId: true }, 'malformed'],
    ['to another question', { ...good, wrongQuestion: 'example.org' }, 'malformed'],
    ['empty', { malformed: Buffer.alloc(0) }, 'malformed'],
    ['garbage', { malformed: Buffer.alloc(40, 0xff) }, 'malformed'],
  ];
  for (const [says, reply, reason] of brokenTcp) {
    it(`truncated, and over TCP ${says}: ${reason}`, async () => {
      await using bench = await startDnsBench(
        {
          answer: ({ transport }) => (transport === 'udp' ? { truncate: true } : reply),
        },
        hasty,
      );
      assert.deepEqual(await bench.resolver.query('example.com', 'A'), { outcome: 'failure', reason });
    });
  }

  it('malformed over UDP: repeated over TCP', async () => {
    await using bench = await startDnsBench({
      answer: ({ transport }) => (transport === 'udp' ? { malformed: badRecord() } : good),
    });
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), records);
  });

  for (const [says, bytes] of [
    ['a record that ends too early', badRecord()],
    ['60,000 records announced', manyRecords()],
    ['a name that points to itself', selfPointer()],
    [
      'a name that points ahead',
      Buffer.concat([questionOf(1), Buffer.from(`c02d${A_RECORD}076578616d706c6503636f6d00`, 'hex')]),
    ],
    ['a name of 200 pointers', manyPointers()],
    [
      'a record longer than it says',
      Buffer.concat([questionOf(1), Buffer.from('c00c00010001000000f00003c0000201', 'hex')]),
    ],
    [
      'a record shorter than it says',
      Buffer.concat([questionOf(1), Buffer.from('c00c00010001000000f00005c000020100', 'hex')]),
    ],
  ] as const) {
    it(`malformed over both: ${says}`, async () => {
      await using bench = await startDnsBench({ answer: () => ({ malformed: bytes }) });
      assert.deepEqual(await bench.resolver.query('example.com', 'A'), {
        outcome: 'failure',
        reason: 'malformed',
      });
    });
  }

  it('an A record that is not four octets is malformed', async () => {
    const short = Buffer.concat([questionOf(1), Buffer.from('c00c00010001000000f000020102', 'hex')]);
    await using bench = await startDnsBench({ answer: () => ({ malformed: short }) });
    const answer = await bench.resolver.query('example.com', 'A');
    assert.notEqual(answer.outcome, 'records');
  });
});

describe('servers without EDNS', () => {
  for (const rcode of ['FORMERR', 'NOTIMP']) {
    it(`${rcode}: repeated without it, and from then on sent without it`, async () => {
      await using bench = await startDnsBench({
        answer: ({ edns }) => (edns ? { rcode, wrongQuestion: 'none' } : good),
      });
      assert.deepEqual(await bench.resolver.query('example.com', 'A'), records);
      await bench.resolver.query('example.net', 'A');
      assert.deepEqual(
        bench.server.questions.map(({ edns }) => edns),
        [true, false, false],
      );
    });
  }

  it('are asked with it again after five minutes, however many answers they gave meanwhile', async () => {
    await using bench = await startDnsBench({
      answer: ({ edns }) => (edns ? { rcode: 'FORMERR' } : good),
    });
    for (const seconds of [0, 200, 101]) {
      bench.clock.advance(seconds);
      await bench.resolver.query(`n${seconds}.com`, 'A');
    }
    assert.deepEqual(
      bench.server.questions.map(({ edns }) => edns),
      [true, false, false, true, false],
    );
  });

  it('FORMERR with and without it does not affect the next question', async () => {
    await using bench = await startDnsBench({
      answer: ({ name }) => (name === 'odd.com' ? { rcode: 'FORMERR' } : good),
    });
    await bench.resolver.query('odd.com', 'A');
    await bench.resolver.query('example.com', 'A');
    assert.equal(bench.server.questions.at(-1)?.edns, true);
  });

  it('BADVERS: repeated without it', async () => {
    await using bench = await startDnsBench({
      answer: ({ edns }) => (edns ? { additionals: [badVersion()] } : good),
    });
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), records);
  });
});

describe('replies without an answer', () => {
  for (const [rcode, reason, times] of [
    ['SERVFAIL', 'servfail', 2],
    ['REFUSED', 'refused', 1],
    ['NOTIMP', 'refused', 2],
    ['FORMERR', 'malformed', 2],
  ] as const) {
    it(`${rcode}: ${reason}, after ${times} questions`, async () => {
      await using bench = await startDnsBench({ answer: () => ({ rcode }) });
      assert.deepEqual(await bench.resolver.query('example.com', 'A'), { outcome: 'failure', reason });
      assert.equal(bench.server.questions.length, times);
    });
  }

  it('a referral (lame server): servfail', async () => {
    const authorities: Answer[] = [{ type: 'NS', name: 'com', ttl: 60, data: 'a.gtld-servers.net' }];
    await using bench = await startDnsBench({ answer: () => ({ flags: 0, authorities }) });
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), {
      outcome: 'failure',
      reason: 'servfail',
    });
  });

  it('silence: timeout, after two attempts, within the total time', async () => {
    await using bench = await startDnsBench({ answer: () => ({ drop: true }) }, hasty);
    const before = performance.now();
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), {
      outcome: 'failure',
      reason: 'timeout',
    });
    assert.ok(performance.now() - before < scaledMs(1500));
    assert.equal(bench.server.questions.length, 2);
  });

  it('silence the first time: the second attempt is used', async () => {
    await using bench = await startDnsBench(
      { answer: ({ nth }) => (nth === 1 ? { drop: true } : good) },
      hasty,
    );
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), records);
  });

  it('an answer after the end of its attempt: ignored', async () => {
    await using bench = await startDnsBench(
      {
        answer: ({ nth }) =>
          nth === 1 ? { ...good, delayMs: hasty.attemptTimeoutMs * 1.5 } : { drop: true },
      },
      hasty,
    );
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), {
      outcome: 'failure',
      reason: 'timeout',
    });
  });

  it('SERVFAIL the first time: the second attempt is used', async () => {
    await using bench = await startDnsBench({
      answer: ({ nth }) => (nth === 1 ? { rcode: 'SERVFAIL' } : good),
    });
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), records);
  });

  const slow = { ...hasty, timeoutMs: scaledMs(5000) };

  it('silence, then SERVFAIL from the only server: the third attempt is used', async () => {
    const replies: DnsReply[] = [{ drop: true }, { rcode: 'SERVFAIL' }, good];
    await using bench = await startDnsBench({ answer: ({ nth }) => replies[nth - 1] ?? null }, slow);
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), records);
    assert.equal(bench.server.questions.length, 3);
  });

  it('silence, then SERVFAIL for good: servfail, after three questions', async () => {
    await using bench = await startDnsBench(
      { answer: ({ nth }) => (nth === 1 ? { drop: true } : { rcode: 'SERVFAIL' }) },
      slow,
    );
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), {
      outcome: 'failure',
      reason: 'servfail',
    });
    assert.equal(bench.server.questions.length, 3);
  });

  it('the third attempt ends with the time of the lookup', async () => {
    await using bench = await startDnsBench(
      { answer: ({ nth }) => (nth === 2 ? { rcode: 'SERVFAIL' } : { drop: true }) },
      { ...hasty, timeoutMs: scaledMs(200) },
    );
    const { outcome } = await bench.resolver.query('example.com', 'A');
    assert.equal(outcome, 'failure');
    assert.ok(bench.server.questions.length <= 3);
  });

  it('connection refused: network, at once', async () => {
    const servers = [{ host: '127.0.0.1', port: await findFreePort() }];
    await using bench = await startDnsBench({}, { servers });
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), {
      outcome: 'failure',
      reason: 'network',
    });
  });

  it('a server that sockets may not connect to: network, at once', async () => {
    const servers = [{ host: '255.255.255.255', port: 53 }];
    await using bench = await startDnsBench({}, { servers });
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), {
      outcome: 'failure',
      reason: 'network',
    });
  });

  it('no server configured: network', async () => {
    await using bench = await startDnsBench({}, { servers: [] });
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), {
      outcome: 'failure',
      reason: 'network',
    });
  });
});

describe('several servers', () => {
  for (const [says, reply] of [
    ['SERVFAIL', { rcode: 'SERVFAIL' }],
    ['REFUSED', { rcode: 'REFUSED' }],
    ['silence', { drop: true }],
    ['garbage', { malformed: badRecord() }],
    ['NXDOMAIN for the top-level domain too', { rcode: 'NXDOMAIN' }],
  ] as const) {
    it(`${says} from the first: the second answers`, async () => {
      await using second = await startDnsServer({ answer: () => good });
      await using first = await startDnsServer({ answer: () => reply });
      await using bench = await startDnsBench({}, { ...hasty, servers: [first, second] });
      assert.deepEqual(await bench.resolver.query('example.com', 'A'), records);
      assert.equal(second.questions.length, 1);
    });
  }

  it('connection refused by the first: the second answers at once', async () => {
    await using second = await startDnsServer({ answer: () => good });
    const servers = [{ host: '127.0.0.1', port: await findFreePort() }, second];
    await using bench = await startDnsBench({}, { servers });
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), records);
  });

  it('the second gets no question while the first answers', async () => {
    await using second = await startDnsServer({ answer: () => good });
    await using first = await startDnsServer({ answer: () => good });
    await using bench = await startDnsBench({}, { servers: [first, second] });
    for (let i = 0; i < 20; i += 1) await bench.resolver.query(`n${i}.com`, 'A');
    assert.deepEqual([first.questions.length, second.questions.length], [20, 0]);
  });

  it('a silent first server is queried last for a while, then first again', async () => {
    let isDead = true;
    await using second = await startDnsServer({ answer: () => good });
    await using first = await startDnsServer({ answer: () => (isDead ? { drop: true } : good) });
    await using bench = await startDnsBench(
      {},
      // A busy machine may need longer than 20 ms for an answer of the first.
      { hedgeAfterMs: 500, attemptTimeoutMs: 5000, timeoutMs: 10_000, servers: [first, second] },
    );
    for (let i = 0; i < 6; i += 1) await bench.resolver.query(`n${i}.com`, 'A');
    assert.equal(first.questions.length, 3);
    isDead = false;
    bench.clock.advance(11);
    second.forget();
    await bench.resolver.query('late.com', 'A');
    assert.deepEqual([first.questions.length, second.questions.length], [4, 0]);
  });

  it('a server that misses single answers stays first', async () => {
    await using second = await startDnsServer({ answer: () => good });
    await using first = await startDnsServer({
      answer: ({ name }) => (name.startsWith('miss') ? { drop: true } : good),
    });
    await using bench = await startDnsBench({}, { ...hasty, servers: [first, second] });
    const names = ['miss1.com', 'miss2.com', 'ok1.com', 'miss3.com', 'miss4.com', 'ok2.com'];
    for (const name of names) await bench.resolver.query(name, 'A');
    assert.equal(first.count('ok2.com'), 1);
  });

  it('the second is queried in parallel if the first is silent', async () => {
    await using second = await startDnsServer({ answer: () => good });
    await using first = await startDnsServer({ answer: () => ({ drop: true }) });
    await using bench = await startDnsBench({}, { servers: [first, second], hedgeAfterMs: 20 });
    const before = performance.now();
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), records);
    assert.ok(performance.now() - before < scaledMs(10_000));
  });

  it('the most specific failure is returned', async () => {
    await using second = await startDnsServer({ answer: () => ({ drop: true }) });
    await using first = await startDnsServer({ answer: () => ({ rcode: 'REFUSED' }) });
    await using bench = await startDnsBench(
      {},
      { ...hasty, servers: [first, second], timeoutMs: scaledMs(3000) },
    );
    assert.deepEqual(await bench.resolver.query('example.com', 'A'), {
      outcome: 'failure',
      reason: 'refused',
    });
  });
});

/** Builds the header and question of a reply to `example.com` A that announces `answers` records. */
function questionOf(answers: number): Buffer {
  const header = Buffer.from('000081800001000000000000', 'hex');
  header.writeUInt16BE(answers, 6);
  return Buffer.concat([header, Buffer.from('\x07example\x03com\0\0\x01\0\x01', 'latin1')]);
}

function badRecord(): Buffer {
  return Buffer.concat([questionOf(1), Buffer.from('c00c0001', 'hex')]);
}

function manyRecords(): Buffer {
  const record = Buffer.from('c00c00010001000000f00004c0000201', 'hex');
  return Buffer.concat([questionOf(60_000), ...Array.from({ length: 20 }, () => record)]);
}

/** Builds an A record that would be accepted in an answer. */
function forgedMessage(flags: number): Buffer {
  const bytes = Buffer.concat([questionOf(1), Buffer.from(`c00c${A_RECORD}`, 'hex')]);
  bytes.writeUInt16BE(flags, 2);
  return bytes;
}

/** Builds a record whose owner is a chain of backward pointers. */
function manyPointers(): Buffer {
  const start = questionOf(1).length + 12;
  const pointers = Buffer.alloc(400);
  for (let i = 0; i < 200; i += 1) pointers.writeUInt16BE(0xc000 | (i === 0 ? 12 : start + 2 * i - 2), 2 * i);
  const carrier = Buffer.from('c00c00630001000000f00190', 'hex');
  const last = Buffer.alloc(2);
  last.writeUInt16BE(0xc000 | (start + 398));
  return Buffer.concat([questionOf(2), carrier, pointers, last, Buffer.from(A_RECORD, 'hex')]);
}

function selfPointer(): Buffer {
  return Buffer.concat([questionOf(1), Buffer.from('c01d00010001000000f00004c0000201', 'hex')]);
}

function badVersion(): Answer {
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: 1232,
    extendedRcode: 1,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
}

async function findFreePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}
