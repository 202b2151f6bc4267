/**
 * npm run bench -- sizing: CPU time of each operation, memory of the service and of its browser, growth of
 * the database. CPU time and memory depend less on other work of the machine than times do. The figures are
 * in docs/operate/monitor.md.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../src/storage/index.ts';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { invoice } from '../../test/pdf/documents/invoice.ts';
import { report } from '../../test/pdf/documents/report.ts';
import { makePage } from '../metadata/pages.ts';
import { measureCpu, measureMemory } from './processes.ts';

const SLOTS = 2;
const NEW_DOMAINS = 400;
const mail = { MX: [{ exchange: 'mx.bench-mail.com', priority: 10 }] };
const domains = Array.from({ length: NEW_DOMAINS }, (_, n) => [`new-${n}-bench.com`, mail] as const);

await using dns = await startDnsServer({
  zones: {
    'bench-mail.com': mail,
    'mx.bench-mail.com': { A: ['93.184.215.14'] },
    ...Object.fromEntries(domains),
  },
});
const page = makePage(65_536, 1);
const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
const dataDir = mkdtempSync(join(tmpdir(), 'utility-api-sizing-'));
const database = join(dataDir, 'utility-api.db');
await (await openStorage({ dataDir, watchIntervalMs: 0 })).close();
const emptyBytes = statSync(database).size;
const child: ChildProcess = fork(new URL('../service.ts', import.meta.url), [], {
  env: {
    ...process.env,
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    PDF_SLOTS: String(SLOTS),
    PLANS: 'bench=100000000',
  },
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
const [{ port, secret }] = (await once(child, 'message')) as [{ port: number; secret: string }];
const pid = child.pid ?? 0;
const base = `http://127.0.0.1:${port}`;

async function send(path: string, body?: object): Promise<void> {
  const response = await fetch(base + path, {
    headers: { 'x-api-key': secret, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
}

/** Sends so many requests, `atOnce` at a time. */
async function repeat(count: number, atOnce: number, act: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let n = next++; n < count; n = next++) await act(n);
    }),
  );
}

interface Operation {
  name: string;
  count: number;
  atOnce: number;
  act: (n: number) => Promise<void>;
}

const pdf = (html: string) => () => send('/v1/pdf/generate', { html });
const OPERATIONS: Operation[] = [
  {
    name: 'email, domain in the cache',
    count: 5_000,
    atOnce: 16,
    act: () => send('/v1/email/validate?email=ann@bench-mail.com'),
  },
  {
    name: 'email, new domain',
    count: NEW_DOMAINS,
    atOnce: 16,
    act: (n) => send(`/v1/email/validate?email=ann@new-${n}-bench.com`),
  },
  {
    name: 'metadata, page of 64 KiB',
    count: 600,
    atOnce: 4,
    act: () => send(`/v1/meta?url=${encodeURIComponent(siteUrl)}`),
  },
  {
    name: 'metadata with render=true',
    count: 40,
    atOnce: SLOTS,
    act: () => send(`/v1/meta?render=true&url=${encodeURIComponent(siteUrl)}`),
  },
  { name: 'PDF, invoice of a page', count: 200, atOnce: SLOTS, act: pdf(invoice()) },
  { name: 'PDF, report of 20 pages', count: 40, atOnce: SLOTS, act: pdf(report(20)) },
  {
    name: 'PDF, invoice with a script',
    count: 40,
    atOnce: SLOTS,
    act: pdf(`${invoice()}<script>document.title = 'x'</script>`),
  },
];

let requests = 0;
try {
  // The browser prepares pages while it is idle.
  await send('/v1/pdf/generate', { html: invoice() });
  const idle = await measureMemory(pid, () => new Promise((resolve) => setTimeout(resolve, 3_000)));
  console.log(`idle: service ${idle.serviceMb} MB, browser ${idle.browserMb} MB\n`);
  console.log('| operation | CPU ms of the service | CPU ms of the browser | service, MB | browser, MB |');
  console.log('|---|---|---|---|---|');
  for (const { name, count, atOnce, act } of OPERATIONS) {
    // The new domains are new only once.
    if (count !== NEW_DOMAINS) await repeat(Math.ceil(count / 10), atOnce, act);
    const before = measureCpu(pid);
    const memory = await measureMemory(pid, () => repeat(count, atOnce, act));
    const after = measureCpu(pid);
    requests += count + (count === NEW_DOMAINS ? 0 : Math.ceil(count / 10));
    const each = (kind: 'serviceMs' | 'browserMs'): string =>
      ((after[kind] - before[kind]) / count).toFixed(2);
    console.log(
      `| ${name} | ${each('serviceMs')} | ${each('browserMs')} | ${memory.serviceMb} | ${memory.browserMb} |`,
    );
  }
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  site.close();
}
const grownKib = (statSync(database).size - emptyBytes) / 1024;
console.log(
  `\ndatabase after ${requests} requests: ${grownKib.toFixed(0)} KiB more than empty, ${(grownKib / requests).toFixed(3)} KiB per request`,
);
console.log(
  `(PDF_SLOTS=${SLOTS}; memory is the highest of samples each 50 ms, requests at once: 16, 4 or 2)`,
);
rmSync(dataDir, { recursive: true, force: true });
