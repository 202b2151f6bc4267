/**
 * npm run bench:email: addresses per second of the library call against peers, on one mixed list and with the same DNS server on loopback
 * (a thread of its own, every domain has an MX, this machine). The candidates take turns, so that a busy machine slows all of them alike.
 */
import dns from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createLookupMail } from '../../src/egress/lookup-mail.ts';
import { openResolver } from '../../src/egress/dns/open-resolver.ts';
import { loadDomainLists, validateEmail, validateEmails } from '../../src/email/index.ts';
import { suggestDomain } from '../../src/email/suggest/suggest-domain.ts';
import { installPeers } from '../install-peers.ts';
import { loadPeers } from './peers.ts';

const ROUNDS = 7;
const ROUND_MS = 100;
const CONCURRENT = 64;
const ADDRESSES = 2000;
const DISPOSABLE = ['yopmail.com', 'mailinator.com', 'guerrillamail.com'];

installPeers();
const worker = new Worker(new URL('dns-server.ts', import.meta.url));
const [port] = (await once(worker, 'message')) as [number];
dns.setServers([`127.0.0.1:${port}`]);
dns.promises.setServers([`127.0.0.1:${port}`]);
const resolver = openResolver({ servers: [{ host: '127.0.0.1', port }], now: Date.now });
const deps = {
  lists: loadDomainLists(),
  lookupMail: createLookupMail({ resolver, isPublicAddress: () => true }),
};
const emails = listEmails();

/** Six in ten at common providers, two at other real domains, one mistyped, one disposable or not an address. */
function listEmails(): string[] {
  const rows = (name: string) =>
    readFileSync(new URL(`../../test/vectors/${name}`, import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t')[0] as string);
  const typos = rows('email-typos.tsv');
  const others = rows('email-not-typos.tsv');
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
        // A peer that throws has answered.
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
  let answered = 0;
  for await (const _report of validateEmails(requests, deps, { concurrency: concurrent })) answered++;
  if (answered !== emails.length) throw new Error(`${answered} of ${emails.length} answered`);
}

const candidates: Record<string, (concurrent: number) => Promise<void>> = { 'this module': runOurs };
for (const { name, validate } of loadPeers()) {
  if (validate !== undefined) candidates[name] = (concurrent) => runEach(validate, concurrent);
}

/** Addresses per second by the clock, and microseconds of this thread's processor time an address, which other work leaves alone. */
interface Sample {
  rate: number;
  cpuUs: number;
}

/**
 * Runs the whole list through each candidate in turn, as often as it takes for a tenth of a second, so that the quick ones are not timed
 * on a blink; the first round warms up and does not count.
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
  console.log(concurrent === 1 ? 'one after the other' : `${concurrent} at a time`);
  const samples = await measure(concurrent);
  const own = samples['this module'] ?? [];
  for (const [name, list] of Object.entries(samples)) {
    const rate = Math.round(median(list.map((sample) => sample.rate)));
    const cpuUs = median(list.map((sample) => sample.cpuUs));
    const ratio = median(list.map((sample, round) => (own[round]?.rate ?? Number.NaN) / sample.rate));
    const cpuRatio = median(list.map((sample, round) => sample.cpuUs / (own[round]?.cpuUs ?? Number.NaN)));
    const note = name === 'validator' ? ' (syntax only: it asks no DNS)' : '';
    console.log(
      `  ${name.padEnd(22)} ${String(rate).padStart(9)} addresses/s  ${cpuUs.toFixed(2).padStart(7)} µs of CPU   ours is ${ratio.toFixed(1)}×, by CPU ${cpuRatio.toFixed(1)}×${note}`,
    );
  }
}
console.log(`suggestions: ${measureSuggestions()} domains/s on one core, none of them known`);
resolver.close();
await worker.terminate();
process.exit();

/** Domains that are neither known nor remembered: every one goes through the whole search. */
function measureSuggestions(): number {
  const names = emails.map((_email, at) => `${(at * 7919).toString(36)}mail${at}.com`);
  const start = performance.now();
  for (let round = 0; round < 50; round++) for (const name of names) suggestDomain(name, deps.lists);
  return Math.round(((50 * names.length) / (performance.now() - start)) * 1000);
}
