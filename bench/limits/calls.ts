/** Counts the calls to Redis that a limit costs with three replicas. */
import type { WindowCounter } from '../../src/limits/index.ts';
import type { Replica } from '../../test/support/replicas.ts';
import type { RedisServer } from '../../test/support/redis.ts';

/** Returns the scripts that the server has run. */
export async function countScripts({ client }: RedisServer): Promise<number> {
  const stats = await client.info('commandstats');
  return [...stats.matchAll(/cmdstat_evalsha:calls=(\d+)/g)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
}

export interface CallFigures {
  admitted: number;
  callsPerRequest: number;
}

/** Sends 1.5 × `limit` requests one after another and counts calls; `split` selects the replica. */
export async function measureCalls(
  server: RedisServer,
  replicas: Replica[],
  limit: number,
  split: (n: number) => number,
): Promise<CallFigures> {
  const requests = limit * 1.5;
  const before = await countScripts(server);
  const key = `${limit} ${before}`;
  let admitted = 0;
  for (let n = 0; n < requests; n++) {
    const decision = await replicas[split(n)]?.counter.consume(key, limit, 1, Date.now());
    if (decision?.admitted) admitted += 1;
  }
  return { admitted, callsPerRequest: ((await countScripts(server)) - before) / requests };
}

/** Returns the decisions per second of a counter that is called for many keys in turn. */
export async function measureDecisions(counter: WindowCounter, ms: number): Promise<number> {
  const keys = Array.from({ length: 2000 }, (_, n) => `key ${n} ${performance.now()}`);
  const startMs = performance.now();
  let decisions = 0;
  while (performance.now() - startMs < ms) {
    await Promise.all(keys.map((key) => counter.consume(key, 6000, 1, Date.now())));
    decisions += keys.length;
  }
  return decisions / ((performance.now() - startMs) / 1000);
}
