/**
 * npm run bench -- limits: requests per second of the service with its rate limit in Redis and in memory,
 * with keys of 6,000 requests per minute, and the calls to Redis per request. Rounds alternate, so that the
 * ratio is valid even if the machine's speed drifts. `--write` writes the tables to bench/scaling.md.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '../../test/support/redis.ts';
import { openReplica, openReplicas } from '../../test/support/replicas.ts';
import { measureRequestsPerSecond } from '../http/load.ts';
import { createMemoryWindowCounter } from '../../src/limits/index.ts';
import { formatRatios, median, updateScalingDoc } from '../update-doc.ts';
import { countScripts, measureCalls, measureDecisions } from './calls.ts';

const count = Number(process.env.ROUNDS ?? 9);
const roundMs = Number(process.env.ROUND_MS ?? 2000);
const connections = 32;
const path = '/v1/email/validate?email=ann@example.com&check_mx=false';

await using server = await startRedis();
const folder = mkdtempSync(join(tmpdir(), 'utility-api-bench-'));
const children: ChildProcess[] = [];

interface Service {
  port: number;
  requests: string[];
}

async function start(name: string, settings: Record<string, string>): Promise<Service> {
  const child = fork(new URL('./service.ts', import.meta.url), [], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: join(folder, name),
      LOG_LEVEL: 'warn',
      PLANS: 'bench=6000',
      CHROMIUM_PATH: '/nonexistent/chromium',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.push(child);
  const [{ port, secrets }] = (await once(child, 'message')) as [{ port: number; secrets: string[] }];
  const requests = secrets.map(
    (secret) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${secret}\r\n\r\n`,
  );
  return { port, requests };
}

/** Compares the services in rounds; returns the lines of the table. */
async function compareServices(): Promise<string[]> {
  const memory = await start('memory', {});
  const redis = await start('redis', { REDIS_URL: server.url });
  const measure = ({ port, requests }: Service): Promise<number> =>
    measureRequestsPerSecond(port, requests, connections, roundMs);
  const ratios: number[] = [];
  const speeds = { memory: [] as number[], redis: [] as number[] };
  let calls = 0;
  for (let n = 0; n <= count; n++) {
    const inMemory = await measure(memory);
    const before = await countScripts(server);
    const inRedis = await measure(redis);
    // The first round warms up both.
    if (n === 0) continue;
    calls += (await countScripts(server)) - before;
    speeds.memory.push(inMemory);
    speeds.redis.push(inRedis);
    ratios.push(inRedis / inMemory);
    console.log(
      `round ${n}: memory ${inMemory.toFixed(0)}/s · Redis ${inRedis.toFixed(0)}/s · ratio ${(inRedis / inMemory).toFixed(3)}`,
    );
  }
  const requests = speeds.redis.reduce((sum, speed) => sum + (speed * roundMs) / 1000, 0);
  return [
    '| one replica, keys of 6,000/min | memory | Redis | ratio (median, min–max) | calls per request |',
    '|---|---|---|---|---|',
    `| the service: requests per second | ${median(speeds.memory).toFixed(0)} | ${median(speeds.redis).toFixed(0)} | ${formatRatios(ratios)} | ${(calls / requests).toFixed(4)} |`,
  ];
}

/** Measures the calls of three replicas; returns the lines of the table. */
async function countCalls(): Promise<string[]> {
  // The server's clock stands still, so that no minute ends while a limit is used.
  const noon = Date.UTC(2026, 0, 1, 12);
  await using replicas = await openReplicas(3, { url: server.url, serverTimeMs: () => noon });
  const rows: string[] = [];
  for (const limit of [60, 600, 6000]) {
    const even = await measureCalls(server, replicas, limit, (n) => n % 3);
    const oneSided = await measureCalls(server, replicas, limit, () => 0);
    rows.push(
      `| ${limit} | ${even.callsPerRequest.toFixed(3)} | ${even.admitted} | ${oneSided.callsPerRequest.toFixed(3)} | ${oneSided.admitted} |`,
    );
  }
  return [
    '| limit, three replicas, 1.5 × the limit sent | calls per request, even load | admitted | one-sided load | admitted |',
    '|---|---|---|---|---|',
    ...rows,
  ];
}

/** Compares the counters alone, each called by one process for 2,000 keys; returns a row of the table. */
async function compareCounters(): Promise<string> {
  await using replica = await openReplica({ url: server.url, prefix: 'counter:' });
  const memory = createMemoryWindowCounter();
  const rounds: { memory: number; redis: number; calls: number }[] = [];
  for (let n = 0; n <= count; n++) {
    const inMemory = await measureDecisions(memory, roundMs / 4);
    const before = await countScripts(server);
    const inRedis = await measureDecisions(replica.counter, roundMs / 4);
    const calls = ((await countScripts(server)) - before) / (inRedis * (roundMs / 4000));
    if (n > 0) rounds.push({ memory: inMemory, redis: inRedis, calls });
  }
  const ratios = rounds.map(({ memory: base, redis }) => redis / base);
  const [base, redis] = [
    median(rounds.map((round) => round.memory)),
    median(rounds.map((round) => round.redis)),
  ];
  return `| the counter alone: decisions per second | ${base.toFixed(0)} | ${redis.toFixed(0)} | ${formatRatios(ratios)} | ${median(rounds.map((round) => round.calls)).toFixed(4)} |`;
}

try {
  const calls = await countCalls();
  const counters = await compareCounters();
  const services = await compareServices();
  const lines = [
    ...services,
    counters,
    '',
    ...calls,
    '',
    `(${availableParallelism()} cores with load generator, Redis and service; ${connections} connections, ${count} rounds of ${roundMs} ms each)`,
  ];
  console.log(`\n${lines.join('\n')}`);
  if (process.argv.includes('--write')) updateScalingDoc('limits', lines);
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.filter((child) => child.exitCode === null).map((child) => once(child, 'exit')));
  rmSync(folder, { recursive: true, force: true });
}
