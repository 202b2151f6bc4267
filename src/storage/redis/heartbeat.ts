import type { ServerClock } from '#limits';
import { createScript, LUA_TIME, type Script } from './script.ts';

/**
 * Records that a replica is alive and returns the server's milliseconds and the number of replicas that were
 * alive within the last 5 s. KEYS[1] is a sorted set. Arguments: time, replica, '1' to remove it.
 */
const BEAT = createScript(
  `${LUA_TIME}
if ARGV[3] == '1' then
  redis.call('ZREM', KEYS[1], ARGV[2])
else
  redis.call('ZADD', KEYS[1], time, ARGV[2])
  redis.call('PEXPIRE', KEYS[1], 60000)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', time - 5000)
return {time, redis.call('ZCARD', KEYS[1])}
`,
  2,
);

const INTERVAL_MS = 1000;
/** The largest of this many counts is used: after an outage, the other replicas need a second to be back. */
const COUNTS = 5;
/** Failed beats after which the connection is replaced. */
const MAX_FAILURES = 2;

/** The part of the connections of a replica that a heartbeat uses. */
export interface HeartbeatLink {
  id: string;
  prefix: string;
  clock: ServerClock;
  messages: { check(): Promise<void> };
  run(script: Script, keys: string[], args: (string | number)[]): Promise<number[]>;
  probe(script: Script, keys: string[], args: (string | number)[]): Promise<number[]>;
  reconnect(): void;
}

/**
 * Tells the other replicas once a second that this one is alive, and counts them. Each beat also probes the
 * server and reads its clock.
 */
export class Heartbeat {
  readonly #link: HeartbeatLink;
  readonly #key: string;
  #counts: number[] = [];
  #failures = 0;
  #isBeating = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(link: HeartbeatLink) {
    this.#link = link;
    this.#key = `${link.prefix}replicas`;
  }

  /** The replicas that were alive lately; at least 1. During an outage, those that were alive before it. */
  get replicas(): number {
    return Math.max(1, ...this.#counts);
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.beat(), INTERVAL_MS);
    this.#timer.unref();
    await this.beat();
  }

  async beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    const { clock, id } = this.#link;
    const sentAtMs = clock.now();
    try {
      const [serverMs, count] = (await this.#link.probe(BEAT, [this.#key], [id, 0])) as [number, number];
      clock.observe(serverMs, sentAtMs);
      this.#counts = [...this.#counts.slice(1 - COUNTS), count];
      this.#failures = 0;
    } catch {
      this.#failures += 1;
      if (this.#failures % MAX_FAILURES === 0) this.#link.reconnect();
    } finally {
      this.#isBeating = false;
    }
    void this.#link.messages.check();
  }

  /** Stops, and removes this replica from those that are alive. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#link.run(BEAT, [this.#key], [this.#link.id, 1]).catch(() => {});
  }
}
