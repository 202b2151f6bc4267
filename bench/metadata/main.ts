/**
 * npm run bench -- metadata: measures pages per second of getMetadata, of undici that discards the bodies
 * (the limit), of the whole service in a process of its own, and of the peers. A second process serves the
 * targets from loopback, plain and gzip, 16 requests at a time. The candidates alternate, so a busy machine
 * slows all of them. `--write` writes the tables to bench/metadata/results.md, `--without-peers` omits the
 * peers, a number sets the rounds.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as Undici from 'undici';
import { openOwn } from './own.ts';
import { makePages } from './pages.ts';
import { installPeers } from '../install-peers.ts';
import { loadPeers } from './peers.ts';

const printed: string[] = [];
function print(line: string): void {
  console.log(line);
  printed.push(line);
}

interface Candidate {
  name: string;
  run: (url: string) => Promise<unknown>;
  perSecond: number[];
}

const ROUNDS = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 5);
const DOCUMENT = new URL('results.md', import.meta.url);
const TURN_MS = 1_500;
const AT_ONCE = 16;
const LIMIT = 'undici.request, discarding';
const OWN = 'getMetadata';

// The version that the service uses: bench/node_modules may hold another one of a peer.
const { Agent, request } = createRequire(new URL('../../package.json', import.meta.url))(
  'undici',
) as typeof Undici;

installPeers();
const server = fork(new URL('serve.ts', import.meta.url));
const [port] = (await once(server, 'message')) as [number];
const pages = makePages();
const own = openOwn(64);
const agent = new Agent({ allowH2: false, pipelining: 1, connections: null });

/** More than any page: dump() closes the connection at its limit (Infinity means its default, 128 KB). */
const DISCARDED_BYTES = 1e9;

async function discard(url: string): Promise<void> {
  const { body, headers } = await request(url, { dispatcher: agent, headers: { 'accept-encoding': 'gzip' } });
  if (headers['content-encoding'] !== 'gzip') return body.dump({ limit: DISCARDED_BYTES });
  await pipeline(body, createGunzip(), new Writable({ write: (_chunk, _encoding, done) => done() }));
}

const service = await startService();
const candidates: Candidate[] = [
  { name: LIMIT, run: discard, perSecond: [] },
  { name: OWN, run: own.describe, perSecond: [] },
  service,
  ...listPeers(),
];

/** Returns the peers as candidates. A page on which a peer fails or times out counts like any other. */
function listPeers(): Candidate[] {
  if (process.argv.includes('--without-peers')) return [];
  return loadPeers().map(({ name, describe }) => ({
    name,
    run: (url) => describe(url).catch(() => null),
    perSecond: [],
  }));
}

/** Starts the service with its defaults, except loopback as a target and more connections per host. */
async function startService(): Promise<Candidate & { close: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'utility-api-bench-'));
  const child = fork(new URL('../service.ts', import.meta.url), {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      PLANS: 'bench=100000000',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      EGRESS_CONNECTIONS_PER_HOST: '64',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port: servicePort, secret }] = (await once(child, 'message')) as [
    { port: number; secret: string },
  ];
  return {
    name: 'the whole service',
    perSecond: [],
    async run(url) {
      const { body, statusCode } = await request(
        `http://127.0.0.1:${servicePort}/v1/meta?url=${encodeURIComponent(url)}`,
        { dispatcher: agent, headers: { 'x-api-key': secret } },
      );
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`the service responded with ${statusCode}: ${text}`);
    },
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(dataDir, { recursive: true });
    },
  };
}

let serial = 0;
/** Measures requests per second over all pages. Each URL is new, so that no fetch is shared. */
async function measure(run: Candidate['run'], kind: string): Promise<number> {
  const start = performance.now();
  let done = 0;
  const worker = async () => {
    while (performance.now() - start < TURN_MS) {
      const at = serial++;
      await run(`http://127.0.0.1:${port}/${kind}/${at % pages.length}?n=${at}`);
      done++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return (done * 1_000) / (performance.now() - start);
}

const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

for (const kind of ['plain', 'gzip']) {
  for (const candidate of candidates) candidate.perSecond = [];
  for (let round = -1; round < ROUNDS; round++) {
    for (const { run, perSecond } of candidates) {
      const rate = await measure(run, kind);
      // The first round is a warm-up.
      if (round >= 0) perSecond.push(rate);
    }
  }
  const ownRates = candidates.find(({ name }) => name === OWN)!.perSecond;
  const limitRates = candidates.find(({ name }) => name === LIMIT)!.perSecond;
  print(
    `\n${kind}, ${pages.length} pages of ${pages[0]!.name} to ${pages.at(-1)!.name}, ${AT_ONCE} at a time, ${ROUNDS} rounds (medians):`,
  );
  print('| | pages/s | of the limit | getMetadata is |');
  print('|---|---|---|---|');
  for (const { name, perSecond } of candidates) {
    const ofLimit = median(perSecond.map((rate, round) => rate / limitRates[round]!));
    const ours = median(perSecond.map((rate, round) => ownRates[round]! / rate));
    print(
      `| ${name} | ${median(perSecond).toFixed(0)} | ${ofLimit.toFixed(3)} | ×${ours.toFixed(ours < 10 ? 2 : 0)} |`,
    );
  }
}

print('');
for (const [at, what] of ['', ' without a title (read to the cap of 2 MiB)'].entries()) {
  const before = process.memoryUsage.rss();
  const times: number[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const start = performance.now();
    await own.describe(`http://127.0.0.1:${port}/large/${at}?n=${turn}`);
    times.push(performance.now() - start);
  }
  const grownMb = Math.max(0, (process.memoryUsage.rss() - before) / 1_048_576);
  print(
    `A page of 20 MB${what}: ${median(times).toFixed(1)} ms, ${grownMb.toFixed(0)} MB more memory after ten`,
  );
}

if (process.argv.includes('--write')) {
  const text = readFileSync(DOCUMENT, 'utf8');
  const tables = printed.join('\n').trim();
  writeFileSync(
    DOCUMENT,
    text.replace(
      /(<!-- speed -->)[^]*?(<!-- \/speed -->)/,
      (_, open: string, close: string) => `${open}\n${tables}\n${close}`,
    ),
  );
}
own.close();
await service.close();
await agent.close();
server.disconnect();
