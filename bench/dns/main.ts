/**
 * npm run bench:dns: compares the latency and throughput of cold lookups with a bare UDP round trip and
 * node:dns, against the same server, which runs in its own process. Then measures cached lookups.
 *
 * Throughput: node:dns has no cache, so ours is measured without one, and once more with it. The candidates
 * alternate in short rounds, so that load slows all of them alike. CPU is user and system time of this
 * process, garbage collection included; unlike the rate, it hardly depends on other processes.
 */
import { fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { promises as nodeDns } from 'node:dns';
import { once } from 'node:events';
import { encodeQuestion } from '../../src/egress/dns/message.ts';
import { openResolver } from '../../src/egress/dns/open-resolver.ts';

const LATENCY_SAMPLES = 2000;
const THROUGHPUT_ROUNDS = 60;
const WARM_UP_ROUNDS = 10;
const THROUGHPUT_LOOKUPS = 2000;
const CONCURRENT = 100;
const CACHED_LOOKUPS = 2_000_000;

type Lookup = (name: string) => Promise<unknown>;

const server = fork(new URL('server.ts', import.meta.url));
const [port] = (await once(server, 'message')) as [number];
let serial = 0;
const freshName = (): string => `n${(serial += 1)}.example.com`;

const options = { servers: [{ host: '127.0.0.1', port }], now: Date.now };
const resolver = openResolver(options);
const resolverWithoutCache = openResolver({ ...options, maxCacheBytes: 1 });
const nodeResolver = new nodeDns.Resolver();
nodeResolver.setServers([`127.0.0.1:${port}`]);
const bareSocket = createSocket('udp4');
bareSocket.connect(port, '127.0.0.1');
await once(bareSocket, 'connect');

const ours: Lookup = (name) => resolverWithoutCache.query(name, 'MX');
const oursWithCache: Lookup = (name) => resolver.query(name, 'MX');
const node: Lookup = (name) => nodeResolver.resolveMx(name);
const bare: Lookup = (name) => {
  bareSocket.send(encodeQuestion(name, 'MX') ?? Buffer.alloc(0));
  return once(bareSocket, 'message');
};

function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function measureLatency(candidates: Record<string, Lookup>): Promise<Record<string, number[]>> {
  const samples = Object.fromEntries(Object.keys(candidates).map((name) => [name, [] as number[]]));
  for (let i = -200; i < LATENCY_SAMPLES; i += 1) {
    for (const [name, lookup] of Object.entries(candidates)) {
      const asked = freshName();
      const before = performance.now();
      await lookup(asked);
      if (i >= 0) samples[name]?.push(performance.now() - before);
    }
  }
  for (const list of Object.values(samples)) list.sort((a, b) => a - b);
  return samples;
}

/** Lookups per second, and microseconds of CPU per lookup. */
interface Throughput {
  rate: number;
  cpu: number;
}

async function measureThroughput(lookup: Lookup): Promise<Throughput> {
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  let left = THROUGHPUT_LOOKUPS;
  const runOne = async (): Promise<void> => {
    for (; left > 0; left -= 1) await lookup(freshName());
  };
  await Promise.all(Array.from({ length: CONCURRENT }, runOne));
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - before) / 1000;
  return { rate: THROUGHPUT_LOOKUPS / seconds, cpu: (user + system) / THROUGHPUT_LOOKUPS };
}

/** Returns the microseconds of CPU of a cached lookup. */
async function measureCached(): Promise<number> {
  const names = Array.from({ length: 5000 }, freshName);
  await Promise.all(names.map(oursWithCache));
  const before = process.cpuUsage();

  for (let i = 0; i < CACHED_LOOKUPS; i += 1) await oursWithCache(names[i % names.length] ?? '');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CACHED_LOOKUPS;
}

const micro = (ms: number): string => `${(ms * 1000).toFixed(0)} µs`;
const latency = await measureLatency({ bare, ours, node });
for (const [name, list] of Object.entries(latency)) {
  console.log(`cold, ${name}: median ${micro(percentile(list, 0.5))}, p99 ${micro(percentile(list, 0.99))}`);
}
const extra = percentile(latency.ours ?? [], 0.5) - percentile(latency.bare ?? [], 0.5);
console.log(`cold, ours over the bare round trip at the median: ${micro(extra)}`);

const median = (values: number[]): number =>
  percentile(
    values.sort((a, b) => a - b),
    0.5,
  );

/** Alternates a candidate with node:dns, and prints the medians over the rounds. */
async function compareThroughput(name: string, lookup: Lookup): Promise<void> {
  const rounds: { own: Throughput; peer: Throughput }[] = [];
  for (let round = -WARM_UP_ROUNDS; round < THROUGHPUT_ROUNDS; round += 1) {
    const measured = { own: await measureThroughput(lookup), peer: await measureThroughput(node) };
    if (round >= 0) rounds.push(measured);
  }
  for (const [who, label] of [['own', name] as const, ['peer', 'node:dns'] as const]) {
    const rate = median(rounds.map((round) => round[who].rate)).toFixed(0);
    const cpu = median(rounds.map((round) => round[who].cpu)).toFixed(1);
    console.log(`throughput, ${label}: ${rate}/s, ${cpu} µs of CPU per lookup`);
  }
  const rate = median(rounds.map(({ own, peer }) => own.rate / peer.rate)).toFixed(2);
  const cpu = median(rounds.map(({ own, peer }) => peer.cpu / own.cpu)).toFixed(2);
  console.log(`throughput, ${name} over node:dns: ${rate}, by CPU ${cpu}`);
}

await compareThroughput('ours', ours);
await compareThroughput('ours with its cache', oursWithCache);
console.log(`cached: ${(await measureCached()).toFixed(2)} µs of CPU`);

resolver.close();
resolverWithoutCache.close();
bareSocket.close();
server.disconnect();
