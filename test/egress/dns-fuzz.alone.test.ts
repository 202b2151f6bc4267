import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import dnsPacket, { type Answer } from 'dns-packet';
import * as fc from 'fast-check';
import { DEFAULT_LIMITS } from '../../src/egress/dns/resolver.ts';
import { encodeQuestion, parseReply } from '../../src/egress/dns/message.ts';
import { extractAnswer } from '../../src/egress/dns/lookup.ts';
import { hasty, startDnsBench } from '../support/dns-resolver.ts';

const runs = process.env.TEST_FULL === '1' ? 200_000 : 2500;
const seed = 8767;

const asked = encodeQuestion('www.example.com', 'MX') as Buffer;
const askedPlainly = encodeQuestion('www.example.com', 'MX', false) as Buffer;

const label = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
const name = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'));
const owner = fc.oneof(
  { weight: 3, arbitrary: fc.constant('www.example.com') },
  { weight: 1, arbitrary: name },
);
const ttl = fc.integer({ min: 0, max: 0x7fff_ffff });
const octet = fc.integer({ min: 0, max: 255 });

function recordOf(type: string, data: fc.Arbitrary<unknown>): fc.Arbitrary<Answer> {
  return fc.record({ type: fc.constant(type), name: owner, ttl, data }) as fc.Arbitrary<Answer>;
}

const record: fc.Arbitrary<Answer> = fc.oneof(
  recordOf('A', fc.ipV4()),
  recordOf(
    'AAAA',
    fc.ipV6().filter((address) => !address.includes('.')),
  ),
  recordOf('NS', name),
  recordOf('CNAME', name),
  recordOf('MX', fc.record({ preference: fc.integer({ min: 0, max: 65_535 }), exchange: name })),
  recordOf('TXT', fc.array(fc.stringMatching(/^[a-z]{0,40}$/), { minLength: 1, maxLength: 3 })),
  recordOf(
    'SOA',
    fc.record({ mname: name, rname: name, serial: ttl, refresh: ttl, retry: ttl, expire: ttl, minimum: ttl }),
  ),
  recordOf(
    'NULL',
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  ),
);
const section = fc.array(record, { maxLength: 6 });
const message = fc.record({ answers: section, authorities: section, additionals: section });

function encode(sections: { answers: Answer[]; authorities: Answer[]; additionals: Answer[] }): Buffer {
  return dnsPacket.encode({
    type: 'response',
    flags: dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE,
    questions: [{ type: 'MX', name: 'www.example.com' }],
    ...sections,
  });
}

/** Converts a record of dns-packet to ours. */
function translate(answer: Answer): unknown {
  if (answer.type === 'OPT') return null;
  const common = { owner: answer.name, ttlSeconds: 'ttl' in answer ? answer.ttl : 0 };
  switch (answer.type as string) {
    case 'A':
    case 'AAAA':
    case 'NS':
    case 'CNAME':
      return { ...common, type: answer.type, data: (answer as { data: unknown }).data };
    case 'MX': {
      const { preference, exchange } = (answer as { data: { preference: number; exchange: string } }).data;
      return { ...common, type: 'MX', data: { exchange, priority: preference } };
    }
    case 'TXT':
      return { ...common, type: 'TXT', data: Buffer.concat((answer as { data: Buffer[] }).data).toString() };
    case 'SOA':
      return {
        ...common,
        type: 'SOA',
        minimumSeconds: (answer as { data: { minimum: number } }).data.minimum,
      };
    default:
      return { ...common, type: null };
  }
}

describe('parsing messages', () => {
  it('agrees with dns-packet on every well-formed message', () => {
    fc.assert(
      fc.property(message, (sections) => {
        const bytes = encode(sections);
        const read = parseReply(bytes, asked);
        const oracle = dnsPacket.decode(bytes);
        assert.ok(typeof read === 'object', typeof read);
        assert.deepEqual(read.answers, (oracle.answers ?? []).map(translate));
        assert.deepEqual(read.authorities, (oracle.authorities ?? []).map(translate));
      }),
      { seed, numRuns: runs / 10 },
    );
  });

  it('formats IPv6 addresses as RFC 5952 does', () => {
    for (const [groups, text] of [
      ['00000000000000000000000000000000', '::'],
      ['00000000000000000000000000000001', '::1'],
      ['20010db8000000000000000000000000', '2001:db8::'],
      ['20010db8000000010000000000000001', '2001:db8:0:1::1'],
      ['20010db8000100010001000100010001', '2001:db8:1:1:1:1:1:1'],
      ['20010db8000000010001000100010001', '2001:db8:0:1:1:1:1:1'],
      ['20010000000000010000000000000001', '2001:0:0:1::1'],
      ['20010db8000000000001000000000001', '2001:db8::1:0:0:1'],
    ] as const) {
      const question = encodeQuestion('a.com', 'AAAA', false) as Buffer;
      const bytes = Buffer.concat([question, Buffer.from(`c00c001c0001000000640010${groups}`, 'hex')]);
      bytes.writeUInt16BE(0x8180, 2);
      bytes[7] = 1;
      const read = parseReply(bytes, question);
      assert.ok(typeof read === 'object', typeof read);
      assert.deepEqual(read.answers, [{ owner: 'a.com', ttlSeconds: 100, type: 'AAAA', data: text }]);
    }
  });

  it('escapes octets that no host name has, and never queries such a name', () => {
    const question = encodeQuestion('a.com', 'MX', false) as Buffer;
    const label = Buffer.from([5, 0x61, 0x2e, 0x62, 0xff, 0x5c, 0]);
    const bytes = Buffer.concat([question, Buffer.from('c00c000f0001000000640009000a', 'hex'), label]);
    bytes.writeUInt16BE(0x8180, 2);
    bytes[7] = 1;
    const read = parseReply(bytes, question);
    assert.ok(typeof read === 'object', typeof read);
    const [answer] = read.answers;
    assert.deepEqual(answer?.type === 'MX' && answer.data, { exchange: 'a\\046b\\255\\092', priority: 10 });
    assert.equal(encodeQuestion('a\\046b.com', 'A'), null);
  });

  it('never throws on a damaged message', () => {
    const edit = fc.record({ at: fc.nat(), octet });
    fc.assert(
      fc.property(
        message,
        fc.array(edit, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        (sections, edits, cut) => {
          const bytes = encode(sections);
          for (const { at, octet } of edits) bytes[at % bytes.length] = octet;
          const shortened = bytes.subarray(0, cut % 3 === 0 ? cut % bytes.length : bytes.length);
          const read = parseReply(shortened, asked);
          if (typeof read === 'object') {
            const chain = { name: 'www.example.com', seen: ['www.example.com'], ttlSeconds: 86_400 };
            const reading = extractAnswer(read, 'MX', chain, DEFAULT_LIMITS);
            if (typeof reading === 'object') assert.ok(reading.ttlSeconds >= 0);
          }
        },
      ),
      { seed, numRuns: runs },
    );
  });

  it('never throws on noise', () => {
    const head = askedPlainly.subarray(12);
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ minLength: 6, maxLength: 6 }),
        (noise, counts) => {
          for (let i = 0; i < 6; i += 2) counts[i] = 0;
          const header = [0, 0, 0x81, 0x80, 0, 1, ...counts];
          parseReply(Buffer.from(noise), asked);
          parseReply(Buffer.concat([Buffer.from(header), head, noise]), asked);
        },
      ),
      { seed, numRuns: runs },
    );
  });

  it('takes milliseconds for the most expensive message', () => {
    const bytes = costliestMessage();
    for (let i = 0; i < 5; i += 1) assert.equal(typeof parseReply(bytes, asked), 'object');
    const before = process.cpuUsage();
    for (let i = 0; i < 10; i += 1) parseReply(bytes, asked);
    const each = process.cpuUsage(before).user / 10_000;
    assert.ok(each < 40, `${each} ms`);
    const larger = parseReply(costliestMessage(240), asked);
    assert.ok(larger === 'malformed', 'a larger one is refused');
  });

  it('parses as many MX records as a message holds', () => {
    const answers = Array.from({ length: 3000 }, (_, at): Answer => {
      const data = { exchange: `mx${at}.www.example.com`, preference: at };
      return { type: 'MX', name: 'www.example.com', ttl: 60, data };
    });
    const read = parseReply(compressMx(answers.length), asked);
    assert.ok(typeof read === 'object', typeof read);
    assert.deepEqual(read.answers, answers.map(translate));
  });
});

describe('a server that sends noise', () => {
  it('never makes a lookup throw or hang', async () => {
    const replies = fc.sample(
      fc
        .tuple(message, fc.array(fc.record({ at: fc.nat(), octet }), { maxLength: 20 }))
        .map(([sections, edits]) => {
          const bytes = encode(sections);
          for (const { at, octet } of edits) bytes[at % bytes.length] = octet;
          return bytes;
        }),
      { seed, numRuns: 400 },
    );
    let next = 0;
    await using bench = await startDnsBench(
      {
        answer: () => {
          next += 1;
          const malformed = replies[next % replies.length];
          return [{ rcode: 'NOERROR', wrongQuestion: 'x.com' }, malformed ? { malformed } : {}];
        },
      },
      hasty,
    );
    const asks = Array.from({ length: 400 }, () => bench.resolver.query('www.example.com', 'MX'));
    for (let i = 0; i < 200; i += 1) asks.push(bench.resolver.query(`www.example${i}.com`, 'MX'));
    const outcomes = new Set((await Promise.all(asks)).map(({ outcome }) => outcome));
    for (const outcome of outcomes) assert.match(outcome, /^(records|nodata|nxdomain|failure)$/);
  });
});

/** Builds a message with `count` MX records as servers do: names below the name of the question are short. */
function compressMx(count: number): Buffer {
  const records = Array.from({ length: count }, (_, at) => {
    const label = Buffer.from(`mx${at}`);
    const head = Buffer.from('c00c000f00010000003c00000000', 'hex');
    head.writeUInt16BE(2 + 1 + label.length + 2, 10);
    head.writeUInt16BE(at, 12);
    return Buffer.concat([head, Buffer.from([label.length]), label, Buffer.from([0xc0, 0x0c])]);
  });
  const bytes = Buffer.concat([askedPlainly, ...records]);
  bytes.writeUInt16BE(0x8180, 2);
  bytes.writeUInt16BE(count, 6);
  return bytes;
}

/**
 * Builds `count` records, each with three names of 127 labels that are spread over the message by pointers.
 * Each takes some 1,140 octets of names, so that a message may have 229 of them.
 */
function costliestMessage(count = 228): Buffer {
  const labels: Buffer[] = [];
  const start = askedPlainly.length + 12;
  let at = start;
  let last = 0;
  for (let i = 0; i < 126; i += 1) {
    const part =
      i === 0 ? Buffer.from([1, 0x61, 0]) : Buffer.from([1, 0x61, 0xc0 | (last >> 8), last & 0xff]);
    labels.push(part);
    last = at;
    at += part.length;
  }
  const pointer = Buffer.from([0xc0 | (last >> 8), last & 0xff]);
  const first = Buffer.concat([Buffer.from('c00c00630001000000000000', 'hex'), ...labels]);
  first.writeUInt16BE(at - start, 10);
  const soa = Buffer.concat([
    pointer,
    Buffer.from('00060001000000000018', 'hex'),
    pointer,
    pointer,
    Buffer.alloc(20),
  ]);
  const records = [first, ...Array.from({ length: count - 1 }, () => soa)];
  const bytes = Buffer.concat([askedPlainly, ...records]);
  bytes.writeUInt16BE(0x8180, 2);
  bytes.writeUInt16BE(count, 6);
  return bytes;
}
