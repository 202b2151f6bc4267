/**
 * npm run bench -- replicas: the throughput of email validation with 1, 2 and 4 replicas that share
 * PostgreSQL and Redis, and of three replicas against one behind nginx. The configurations alternate in
 * rounds, so that the ratios are valid even if the machine's speed drifts. The load generator, the engines
 * and the replicas share the cores: if they are all busy, more replicas cannot serve more, and the CPU time
 * per request says what each replica would serve on cores of its own. `--write` writes the table to
 * bench/scaling.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNginx } from '../../test/support/nginx.ts';
import { openPostgresServer } from '../../test/support/postgres.ts';
import { startRedis } from '../../test/support/redis.ts';
import { measureRequestsPerSecond } from '../http/load.ts';
import { formatRatios, median, updateScalingDoc } from '../update-doc.ts';
import { createKeys, type Replica, startReplica } from './replica.ts';

const REPLICAS = 4;
const CONNECTIONS = 32;
const PATH = '/v1/email/validate?email=ann@example.com&check_mx=false';
const rounds = Number(process.env.ROUNDS ?? 9);
const roundMs = Number(process.env.ROUND_MS ?? 2000);

/** A way to send the load. `baseline` names the one that it is compared with. */
interface Configuration {
  name: string;
  baseline: string;
  ports: number[];
  replicas: Replica[];
}

interface Sample {
  perSecond: number;
  /** The CPU time of the replicas per request, in microseconds. */
  replicaUs: number;
  redisUs: number;
  /** Of the load generator: this process. */
  clientUs: number;
}

await using postgres = await openPostgresServer();
await using redis = await startRedis();
const loadBefore = loadavg()[0] ?? 0;
const folder = mkdtempSync(join(tmpdir(), 'utility-api-bench-'));
const settings = {
  DATABASE_URL: await postgres.createDatabase(),
  REDIS_URL: redis.url,
  DATA_DIR: folder,
  PLANS: 'bench=6000',
  TRUST_PROXY: '127.0.0.1',
};
const secrets = await createKeys(settings);
const requests = secrets.map(
  (secret) => `GET ${PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${secret}\r\n\r\n`,
);

async function measureRedisUs(): Promise<number> {
  const info = await redis.client.info('cpu');
  const seconds = [...info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)].map(([, text]) => Number(text));
  return seconds.reduce((sum, value) => sum + value, 0) * 1e6;
}

async function measureReplicasUs(replicas: readonly Replica[]): Promise<number> {
  const times = await Promise.all(replicas.map((replica) => replica.measureCpuUs()));
  return times.reduce((sum, value) => sum + value, 0);
}

/** Sends the load over equally many connections to each port. */
async function measure({ ports, replicas }: Configuration): Promise<Sample> {
  const before = await Promise.all([measureReplicasUs(replicas), measureRedisUs()]);
  const client = process.cpuUsage();
  const startedAt = performance.now();
  const speeds = await Promise.all(
    ports.map((port) => measureRequestsPerSecond(port, requests, CONNECTIONS / ports.length, roundMs)),
  );
  const { user, system } = process.cpuUsage(client);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await Promise.all([measureReplicasUs(replicas), measureRedisUs()]);
  const perSecond = speeds.reduce((sum, speed) => sum + speed, 0);
  const perRequest = (us: number): number => us / (perSecond * seconds);
  return {
    perSecond,
    replicaUs: perRequest(after[0] - before[0]),
    redisUs: perRequest(after[1] - before[1]),
    clientUs: perRequest(user + system),
  };
}

/** Returns the row of a configuration: its samples beside those of its baseline in the same rounds. */
function formatRow(configuration: Configuration, samples: Map<string, Sample[]>): string {
  const own = samples.get(configuration.name) ?? [];
  const base = samples.get(configuration.baseline) ?? [];
  const compare = (get: (sample: Sample) => number): string =>
    own === base ? '1' : formatRatios(own.map((sample, n) => get(sample) / get(base[n] ?? sample)));
  const cells = [
    configuration.name,
    median(own.map(({ perSecond }) => perSecond)).toFixed(0),
    compare(({ perSecond }) => perSecond),
    median(own.map(({ replicaUs }) => replicaUs)).toFixed(0),
    compare(({ replicaUs }) => replicaUs),
    median(own.map(({ redisUs }) => redisUs)).toFixed(1),
    median(own.map(({ clientUs }) => clientUs)).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

async function compareAll(configurations: readonly Configuration[]): Promise<string[]> {
  const samples = new Map<string, Sample[]>(configurations.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1)
    for (const configuration of configurations) {
      const sample = await measure(configuration);
      // The first round warms up all processes.
      if (round === 0) continue;
      samples.get(configuration.name)?.push(sample);
      console.log(
        `round ${round}, ${configuration.name}: ${sample.perSecond.toFixed(0)}/s · ${sample.replicaUs.toFixed(0)} µs`,
      );
    }
  return [
    '| replicas | requests per second | against 1 (median, min–max) | CPU of the replicas, µs per request | against 1 | CPU of Redis, µs | of the load generator, µs |',
    '|---|---|---|---|---|---|---|',
    ...configurations.map((configuration) => formatRow(configuration, samples)),
  ];
}

try {
  await using stack = new AsyncDisposableStack();
  const replicas: Replica[] = [];
  while (replicas.length < REPLICAS) replicas.push(stack.use(await startReplica(settings)));
  const ports = replicas.map(({ port }) => port);
  const direct = [1, 2, 4].map((count) => ({
    name: `${count}, round robin`,
    baseline: '1, round robin',
    ports: ports.slice(0, count),
    replicas: replicas.slice(0, count),
  }));
  const proxied: Configuration[] = [];
  for (const count of [1, 3]) {
    const nginx = stack.use(await startNginx(ports.slice(0, count)));
    const nginxPort = Number(new URL(nginx.url).port);
    const name = `${count}, behind nginx`;
    proxied.push({
      name,
      baseline: '1, behind nginx',
      ports: [nginxPort],
      replicas: replicas.slice(0, count),
    });
  }
  const lines = [
    ...(await compareAll([...direct, ...proxied])),
    '',
    `(${availableParallelism()} cores with load generator, nginx, PostgreSQL, Redis and replicas; ${CONNECTIONS} connections, ${rounds} rounds of ${roundMs} ms each; load average ${loadBefore.toFixed(1)} before)`,
  ];
  console.log(`\n${lines.join('\n')}`);
  if (process.argv.includes('--write')) updateScalingDoc('replicas', lines);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
