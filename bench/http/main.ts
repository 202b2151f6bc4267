/**
 * npm run bench -- http: email validation with a cached domain, key check and limits on, compared with a bare
 * node:http server that returns the same bytes. Each is a process of its own. Rounds alternate, so that the
 * ratio is valid even if the machine's speed drifts.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { measureRequestsPerSecond } from './load.ts';

const count = Number(process.env.ROUNDS ?? 9);
const roundMs = Number(process.env.ROUND_MS ?? 2000);
const connections = 32;
const path = '/v1/email/validate?email=ann@bench-mail.com';

await using dns = await startDnsServer({
  zones: {
    'bench-mail.com': { MX: [{ exchange: 'mx.bench-mail.com', priority: 10 }] },
    'mx.bench-mail.com': { A: ['93.184.215.14'] },
  },
});
const dataDir = mkdtempSync(join(tmpdir(), 'utility-api-bench-'));
const children: ChildProcess[] = [];

/** Returns the CPU seconds that a process has used, by the kernel's clock (1/100 s). */
function measureCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

interface Round {
  perSecond: number;
  cpuMicros: number;
}

async function measure({ port, pid }: { port: number; pid: number }, request: string): Promise<Round> {
  const before = measureCpuSeconds(pid);
  const perSecond = await measureRequestsPerSecond(port, request, connections, roundMs);
  return { perSecond, cpuMicros: ((measureCpuSeconds(pid) - before) * 1e6) / (perSecond * (roundMs / 1000)) };
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

async function start<T>(
  script: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<T & { pid: number }> {
  const child = fork(new URL(script, import.meta.url), args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.push(child);
  const [message] = (await once(child, 'message')) as [T];
  return { ...message, pid: child.pid ?? 0 };
}

try {
  const service = await start<{ port: number; secret: string }>('../service.ts', [], {
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    PLANS: 'bench=100000000',
  });
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${service.secret}\r\n\r\n`;
  const sample = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    headers: { 'x-api-key': service.secret },
  });
  const body = await sample.text();
  const bare = await start<{ port: number }>('./bare.ts', [
    JSON.stringify({ headers: [...sample.headers], body }),
  ]);
  console.log(`${path}\n${sample.status} ${body}\n`);
  const rounds: { bare: Round; whole: Round }[] = [];
  for (let n = 0; n <= count; n++) {
    const round = { bare: await measure(bare, request), whole: await measure(service, request) };
    // The first round warms up both.
    if (n === 0) continue;
    rounds.push(round);
    console.log(
      `round ${n}: bare node:http ${round.bare.perSecond.toFixed(0)}/s (${round.bare.cpuMicros.toFixed(1)} µs CPU each) · service ${round.whole.perSecond.toFixed(0)}/s (${round.whole.cpuMicros.toFixed(1)} µs) · ratio ${(round.whole.perSecond / round.bare.perSecond).toFixed(3)}`,
    );
  }
  const ratios = rounds.map((round) => round.whole.perSecond / round.bare.perSecond);
  console.log(
    `\nrequests/s, service ÷ bare: median ${median(ratios).toFixed(3)}, min ${Math.min(...ratios).toFixed(3)}, max ${Math.max(...ratios).toFixed(3)}`,
  );
  console.log(
    `CPU per request, bare ÷ service: median ${median(rounds.map((round) => round.bare.cpuMicros / round.whole.cpuMicros)).toFixed(3)}`,
  );
  console.log(`(${connections} connections, ${count} rounds of ${roundMs} ms each)`);
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.filter((child) => child.exitCode === null).map((child) => once(child, 'exit')));
  rmSync(dataDir, { recursive: true, force: true });
}
