/** Replicas of the rate limit in one process, each with its own connections and clock. */
import { setTimeout as delay } from 'node:timers/promises';
import { createLeasedWindowCounter, type LeasedWindowCounter, ServerClock } from '#limits';
import { RedisLink } from '../../src/storage/redis/redis-link.ts';
import { createUnitPool } from '../../src/storage/redis/redis-unit-pool.ts';
import { patientMs } from './patience.ts';

export interface Replica extends AsyncDisposable {
  link: RedisLink;
  counter: LeasedWindowCounter;
  /** The lines that the replica has logged. */
  log: { level: string; message: string; facts: object }[];
  /** The decisions that it has made without Redis. */
  countAlone(): number;
}

export interface ReplicaOptions {
  url: string;
  prefix?: string;
  /** The server's clock, in place of its own. */
  serverTimeMs?: () => number;
  /** The monotonic clock of the replica. */
  now?: () => number;
  maxKeys?: number;
  /** A busy machine may need seconds, unless the test is about them. Undefined for that of the URL. */
  timeoutMs?: number | undefined;
}

export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const { url, prefix = 'test:', serverTimeMs, now = () => performance.now(), maxKeys } = options;
  const timeoutMs = 'timeoutMs' in options ? options.timeoutMs : patientMs(10_000);
  const log: Replica['log'] = [];
  const link = new RedisLink({
    url,
    prefix,
    clock: new ServerClock(now),
    ...(timeoutMs !== undefined && { timeoutMs }),
    log: (level, message, facts) => void log.push({ level, message, facts }),
    ...(serverTimeMs && { serverTimeMs }),
  });
  await link.open().catch(async (error: unknown) => {
    await link.close();
    throw error;
  });
  let alone = 0;
  const pool = createUnitPool(link, 'keys', 'secret of the test', { onAlone: () => (alone += 1) });
  const counter = createLeasedWindowCounter({ pool, ...(maxKeys !== undefined && { maxKeys }) });
  return {
    link,
    counter,
    log,
    countAlone: () => alone,
    async [Symbol.asyncDispose]() {
      await counter.close();
      await link.close();
    },
  };
}

/** Opens replicas that know of one another. */
export async function openReplicas(
  count: number,
  options: ReplicaOptions,
): Promise<Replica[] & AsyncDisposable> {
  const replicas = await Promise.all(Array.from({ length: count }, () => openReplica(options)));
  await waitUntil(() => replicas.every(({ link }) => link.replicas === count));
  return Object.assign(replicas, {
    async [Symbol.asyncDispose]() {
      await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    },
  });
}

/** Waits for something that another process or connection does. */
export async function waitUntil(
  isDone: () => boolean | Promise<boolean>,
  timeoutMs = patientMs(10_000),
): Promise<void> {
  for (const startMs = performance.now(); !(await isDone()); await delay(10))
    if (performance.now() - startMs > timeoutMs) throw new Error(`not done after ${timeoutMs} ms`);
}
