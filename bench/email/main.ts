/**
 * npm run bench -- email: compares the addresses per second of the library call with its peers, on one mixed
 * list and with the same DNS server on loopback (its own thread; every domain has an MX, whose host has an
 * address). The candidates take turns, so that load slows all of them alike.
 */
import dns from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createLookupMail } from '../../src/egress/lookup-mail.ts';
import { openResolver } from '../../src/egress/dns/open-resolver.ts';
import {
  EmailCache,
  isUsableExchange,
  loadDomainLists,
  validateEmail,
  validateEmails,
} from '../../src/email/index.ts';
import { isKnownDomain, suggestDomain } from '../../src/email/suggest/suggest-domain.ts';
import { loadCases } from '../../scripts/typo-rates/load-cases.ts';
import { installPeers } from '../install-peers.ts';
import { loadPeers } from './peers.ts';

const ROUNDS = 7;
const ROUND_MS = 100;
const CONCURRENT = 64;
const ADDRESSES = 2000;
const SEARCHES = 100_000;
const DISPOSABLE = ['yopmail.com', 'mailinator.com', 'guerrillamail.com'];

installPeers();
const worker = new Worker(new URL('dns-server.ts', import.meta.url));
const [port] = (await once(worker, 'message')) as [number];
dns.setServers([`127.0.0.1:${port}`]);
dns.promises.setServers([`127.0.0.1:${port}`]);
// A peer that starts an SMTP conversation contacts only this machine, which refuses the connection.
dns.lookup = ((_host: string, options: dns.LookupOptions, done: (...result: unknown[]) => void) =>
  options.all === true
    ? done(null, [{ address: '127.0.0.1', family: 4 }])
    : done(null, '127.0.0.1', 4)) as typeof dns.lookup;
const resolver = openResolver({ servers: [{ host: '127.0.0.1', port }], now: Date.now });
const deps = {
  lists: loadDomainLists(),
  cache: new EmailCache(),
  lookupMail: createLookupMail({ resolver, isPublicAddress: () => true, isUsableExchange }),
};
const emails = listEmails();

/**
 * Lists six in ten addresses at common providers, two at other real domains, one mistyped, and one disposable
 * or malformed.
 */
function listEmails(): string[] {
  const loadColumn = (name: string) =>
    readFileSync(new URL(`../../test/vectors/${name}`, import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t')[0] as string);
  const typos = loadColumn('email-typos.tsv');
  const others = loadColumn('email-not-typos.tsv');
  const common = ['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com', 'gmx.de'];
  return Array.from({ length: ADDRESSES }, (_, at) => {
    const kind = at % 10;
    if (kind < 6) return `user${at}@${common[kind]}`;
    if (kind < 8) return others[(at * 7 + kind) % others.length] as string;
    if (kind === 8) return typos[(at * 11) % typos.length] as string;
    return at % 20 === 9 ? `user${at}@${DISPOSABLE[at % DISPOSABLE.length]}` : `user ${at}@@nowhere`;
  });
}

async function runEach(validate: (email: string) => Promise<unknown>, concurrent: number): Promise<void> {
  let next = 0;
  const runOne = async (): Promise<void> => {
    while (next < emails.length) {
      try {
        await validate(emails[next++] as string);
      } catch {
        // An error is a result too.
      }
    }
  };
  await Promise.all(Array.from({ length: concurrent }, runOne));
}

async function runOurs(concurrent: number): Promise<void> {
  const requests = emails.map((email) => ({ email, checkMx: true, suggest: true, details: false }));
  if (concurrent === 1) {
    for (const request of requests) await validateEmail(request, deps);
    return;
  }
  let reports = 0;
  for await (const _report of validateEmails(requests, deps, { concurrency: concurrent })) reports++;
  if (reports !== emails.length) throw new Error(`${reports} reports for ${emails.length} addresses`);
}

const candidates: Record<string, (concurrent: number) => Promise<void>> = { 'this module': runOurs };
for (const { name, validate } of loadPeers()) {
  if (validate !== undefined) candidates[name] = (concurrent) => runEach(validate, concurrent);
}

interface Sample {
  /** Addresses per second of elapsed time. */
  rate: number;
  /** Microseconds of this thread's CPU time per address; other processes affect it less. */
  cpuUs: number;
}

/**
 * Runs the whole list through each candidate in turn, repeated for at least ROUND_MS, so that fast candidates
 * are measured as precisely as slow ones. The first round warms up and is not counted.
 */
async function measure(concurrent: number): Promise<Record<string, Sample[]>> {
  const samples = Object.fromEntries(Object.keys(candidates).map((name) => [name, [] as Sample[]]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(candidates)) {
      const start = performance.now();
      const cpu = process.threadCpuUsage();
      let lists = 0;
      do {
        await run(concurrent);
        lists++;
      } while (performance.now() - start < ROUND_MS);
      const done = lists * emails.length;
      const { user, system } = process.threadCpuUsage(cpu);
      const sample = { rate: (done / (performance.now() - start)) * 1000, cpuUs: (user + system) / done };
      if (round >= 0) samples[name]?.push(sample);
    }
  }
  return samples;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

for (const concurrent of [1, CONCURRENT]) {
  console.log(concurrent === 1 ? 'one after the other' : `${concurrent} concurrent`);
  const samples = await measure(concurrent);
  const own = samples['this module'] ?? [];
  for (const [name, list] of Object.entries(samples)) {
    const rate = Math.round(median(list.map((sample) => sample.rate)));
    const cpuUs = median(list.map((sample) => sample.cpuUs));
    const ratio = median(list.map((sample, round) => (own[round]?.rate ?? Number.NaN) / sample.rate));
    const cpuRatio = median(list.map((sample, round) => sample.cpuUs / (own[round]?.cpuUs ?? Number.NaN)));
    const note = name === 'validator' ? ' (syntax only, no DNS)' : '';
    console.log(
      `  ${name.padEnd(22)} ${String(rate).padStart(9)} addresses/s  ${cpuUs.toFixed(2).padStart(7)} µs of CPU   ours is ${ratio.toFixed(1)}×, by CPU ${cpuRatio.toFixed(1)}×${note}`,
    );
  }
}
for (const [what, names] of Object.entries(listUnknownDomains())) {
  console.log(`suggestions: ${measureSearches(names)} searches/s on one core for ${what}`);
}
resolver.close();
await worker.terminate();
process.exit();

/** Lists domains by how near a provider they are: near ones take longer, because more has to be compared. */
function listUnknownDomains(): Record<string, string[]> {
  const cases = loadCases().domains;
  return {
    'names far from any provider': emails.map((_email, at) => `${(at * 7919).toString(36)}mail${at}.com`),
    'real domains near providers': cases.flatMap(({ typed, meant }) => (meant === null ? [typed] : [])),
    typos: cases.flatMap(({ typed, meant }) => (meant === null ? [] : [typed])),
  };
}

/** Returns the searches per second for unknown, uncached domains; a known one needs no search. */
function measureSearches(domains: readonly string[]): number {
  const unknown = domains.filter((name) => !isKnownDomain(name, deps.lists));
  const rounds = Math.ceil(SEARCHES / unknown.length);
  const start = performance.now();
  for (let round = 0; round < rounds; round++) for (const name of unknown) suggestDomain(name, deps.lists);
  return Math.round(((rounds * unknown.length) / (performance.now() - start)) * 1000);
}
