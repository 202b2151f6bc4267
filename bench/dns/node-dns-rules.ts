/**
 * node bench/dns/node-dns-rules.ts: shows what node:dns (c-ares) does for each rule of the resolver that it
 * cannot keep. docs/internals/decisions/0008-own-dns-resolver.md lists the results.
 */
import { promises as nodeDns } from 'node:dns';
import type { Answer } from 'dns-packet';
import { startDnsServer, type DnsReply, type DnsServerOptions } from '../../test/support/dns-server.ts';

type Resolver = nodeDns.Resolver;

const MX: Answer = { type: 'MX', name: 'a.com', ttl: 60, data: { exchange: 'mx.a.com', preference: 10 } };
const silent: DnsReply = { drop: true };
const servfail: DnsReply = { rcode: 'SERVFAIL' };

/** Resolves with what a query ends as: JSON, or the error's code and own members. */
async function describe(query: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await query);
  } catch (error) {
    return `error ${JSON.stringify(error)}`;
  }
}

/** Runs `use` with a resolver of node:dns that queries one test server for each of `servers`. */
async function withServers<T>(
  servers: NonNullable<DnsServerOptions['answer']>[],
  use: (resolver: Resolver, counts: () => number[], ports: () => number) => Promise<T>,
): Promise<T> {
  const started = await Promise.all(servers.map((answer) => startDnsServer({ answer })));
  const resolver = new nodeDns.Resolver({ timeout: 300, tries: 2 });
  resolver.setServers(started.map(({ port }) => `127.0.0.1:${port}`));
  try {
    return await use(
      resolver,
      () => started.map(({ questions }) => questions.length),
      () => new Set(started.flatMap(({ questions }) => questions.map(({ clientPort }) => clientPort))).size,
    );
  } finally {
    resolver.cancel();
    await Promise.all(started.map((server) => server.close()));
  }
}

const header = (answers: number): Buffer => {
  const bytes = Buffer.from('000081800001000000000000016103636f6d00000f0001', 'hex');
  bytes.writeUInt16BE(answers, 6);
  return bytes;
};

function measureBlocking(query: () => Promise<unknown>): Promise<{ result: string; ms: number }> {
  let longest = 0;
  let before = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  }, 1);
  return describe(query()).then((result) => {
    longest = Math.max(longest, performance.now() - before);
    clearInterval(timer);
    return { result: result.slice(0, 60), ms: Math.round(longest) };
  });
}

const rules: Record<string, () => Promise<string>> = {
  'TTL of MX': () => withServers([() => ({ answers: [MX] })], (r) => describe(r.resolveMx('a.com'))),
  'TTL of a negative answer': () =>
    withServers([() => ({ rcode: 'NXDOMAIN' })], (r) => describe(r.resolveMx('a.com'))),
  'cancel one query': () =>
    withServers([({ name }) => (name === 'fine.com' ? { delayMs: 50, answers: [] } : silent)], async (r) => {
      const both = Promise.all([describe(r.resolveMx('slow.com')), describe(r.resolveMx('fine.com'))]);
      setTimeout(() => r.cancel(), 20);
      return (await both).join(', ');
    }),
  'records of another name are not used': () =>
    withServers([() => ({ answers: [{ ...MX, name: 'other.org' }] })], (r) => describe(r.resolveMx('a.com'))),
  'records of another class are not used': () =>
    withServers([() => ({ answers: [{ ...MX, class: 'CH' }] })], (r) => describe(r.resolveMx('a.com'))),
  'at most 256 records of a reply': () => {
    const record = Buffer.from('c00c000f00010000003c0004000ac00c', 'hex');
    const bytes = Buffer.concat([header(4000), ...Array.from({ length: 4000 }, () => record)]);
    return withServers(
      [({ transport }) => (transport === 'udp' ? { truncate: true } : { malformed: bytes })],
      async (r) => {
        const { result, ms } = await measureBlocking(() => r.resolveMx('a.com').then((all) => all.length));
        return `${result} records, longest turn ${ms} ms`;
      },
    );
  },
  'a referral is a failure': () =>
    withServers(
      [() => ({ flags: 0, authorities: [{ type: 'NS', name: 'com', ttl: 60, data: 'a.gtld-servers.net' }] })],
      (r) => describe(r.resolveMx('a.com')),
    ),
  'a CNAME without its target is followed': () =>
    withServers(
      [
        ({ name }) => ({
          answers: [name === 'a.com' ? { type: 'CNAME', name, ttl: 60, data: 'b.com' } : { ...MX, name }],
        }),
      ],
      async (r, counts) => `${await describe(r.resolveMx('a.com'))}, ${counts()[0]} question`,
    ),
  'a circle of CNAMEs is a failure': () =>
    withServers(
      [
        () => ({
          answers: [
            { type: 'CNAME', name: 'a.com', ttl: 60, data: 'b.com' },
            { type: 'CNAME', name: 'b.com', ttl: 60, data: 'a.com' },
          ],
        }),
      ],
      (r) => describe(r.resolveMx('a.com')),
    ),
  'SERVFAIL, then silence': () =>
    withServers([() => servfail, () => silent], (r) => describe(r.resolveMx('a.com'))),
  'silence, then SERVFAIL': () =>
    withServers([() => silent, () => servfail], (r) => describe(r.resolveMx('a.com'))),
  'SERVFAIL from one server is repeated': () =>
    withServers([({ nth }) => (nth === 1 ? servfail : { answers: [MX] })], (r) =>
      describe(r.resolveMx('a.com')),
    ),
  'NXDOMAIN from a server that denies com': () =>
    withServers(
      [() => ({ rcode: 'NXDOMAIN' }), () => ({ answers: [MX] })],
      async (r, counts) => `${await describe(r.resolveMx('a.com'))}, questions ${counts().join(' and ')}`,
    ),
  'source ports of 200 questions at once': () =>
    withServers([() => ({ answers: [MX] })], async (r, _counts, ports) => {
      await Promise.all(Array.from({ length: 200 }, (_, i) => r.resolveMx(`n${i}.com`)));
      return String(ports());
    }),
  'many forged answers move the question to TCP': () =>
    withServers(
      [
        ({ transport }) =>
          transport === 'udp'
            ? Array.from({ length: 70 }, () => ({ answers: [MX], wrongId: true }))
            : { answers: [MX] },
      ],
      (r) => describe(r.resolveMx('a.com')),
    ),
  'malformed over UDP is repeated over TCP': () =>
    withServers(
      [
        ({ transport }) =>
          transport === 'udp'
            ? { malformed: Buffer.concat([header(1), Buffer.from('c00c000f', 'hex')]) }
            : { answers: [MX] },
      ],
      async (r, counts) => `${await describe(r.resolveMx('a.com'))}, ${counts()[0]} questions`,
    ),
  'a silent server: the next is queried in parallel': () =>
    withServers([() => silent, () => ({ delayMs: 1, answers: [MX] })], async (r) => {
      const before = performance.now();
      await r.resolveMx('a.com');
      return `answered after ${Math.round(performance.now() - before)} ms with a timeout of 300 ms`;
    }),
  'a server that misses one answer stays first': () =>
    withServers(
      [({ name }) => (name === 'n0.com' ? silent : { answers: [MX] }), () => ({ answers: [MX] })],
      async (r, counts) => {
        for (let i = 0; i < 6; i += 1) await describe(r.resolveMx(`n${i}.com`));
        return `questions ${counts().join(' and ')}`;
      },
    ),
  'one question for simultaneous callers': () =>
    withServers([() => ({ answers: [MX], delayMs: 5 })], async (r, counts) => {
      await Promise.all(Array.from({ length: 10 }, () => r.resolveMx('a.com')));
      return `${counts()[0]} questions`;
    }),
  'octets that no host name has': () =>
    withServers(
      [
        () => ({
          malformed: Buffer.concat([
            header(1),
            Buffer.from('c00c000f00010000003c0009000a05612e62ff5c00', 'hex'),
          ]),
        }),
      ],
      (r) => describe(r.resolveMx('a.com')),
    ),
};

for (const [rule, run] of Object.entries(rules)) console.log(`${rule}: ${await run()}`);
