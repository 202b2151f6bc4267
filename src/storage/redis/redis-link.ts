import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { ServerClock } from '#limits';
import { CallTimeout, CallTimer, MessageListener } from './message-listener.ts';
import { connect, createConnection, getLimitsTimeoutMs } from './connection.ts';
import { Heartbeat } from './heartbeat.ts';
import { assertPermitted, toRefusal } from './permissions.ts';
import { type Script, parseReply } from './script.ts';

/** Failures in a row after which no more calls are made. */
const MAX_FAILURES = 3;

export interface CircuitBreakerEvents {
  onOpen: (reason: string) => void;
  onClose: () => void;
  /** A probe succeeded after calls had failed, also if the breaker was not open. */
  onRecovery: () => void;
}

/**
 * Remembers that a server does not reply, so that requests do not wait for it. Opens after a few failures in
 * a row, or immediately when the connection is lost; closes with the first success of a probe.
 */
export class CircuitBreaker {
  readonly #events: CircuitBreakerEvents;
  #failures = 0;
  #hasFailed = false;
  #reason: string | null = null;

  constructor(events: CircuitBreakerEvents) {
    this.#events = events;
  }

  /** The reason why no calls are made; null while they are. */
  get reason(): string | null {
    return this.#reason;
  }

  recordFailure(reason: string): void {
    this.#hasFailed = true;
    this.#failures += 1;
    if (this.#failures >= MAX_FAILURES) this.open(reason);
  }

  /** Records a reply to a call. An open breaker closes only by a probe. */
  recordSuccess(): void {
    this.#failures = 0;
  }

  open(reason: string): void {
    this.#hasFailed = true;
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#events.onOpen(reason);
  }

  close(): void {
    this.#failures = 0;
    if (this.#reason !== null) {
      this.#reason = null;
      this.#events.onClose();
    }
    if (!this.#hasFailed) return;
    this.#hasFailed = false;
    this.#events.onRecovery();
  }
}

export interface RedisLinkOptions {
  url: string;
  /** Starts the name of every key and channel. */
  prefix: string;
  /** Learns the server's clock from its replies. */
  clock: ServerClock;
  log: (level: 'info' | 'warn', message: string, facts: object) => void;
  /** A call that was not answered by then fails, in milliseconds; by default, what the URL says. */
  timeoutMs?: number;
  /** Called for each call; `ms` is null if it was not sent because the server does not reply. */
  onCall?: ((isOk: boolean, ms: number | null) => void) | undefined;
  /** Returns the server's time in place of its clock, for tests. */
  serverTimeMs?: () => number;
}

const CLOSED = 'the connection is closed';
/** The timeout of caches: a request does not wait as long for what it can do without. */
export const CACHE_TIMEOUT_MS = 50;

/** The connections of this replica to Redis. While the server does not reply, calls fail immediately. */
export class RedisLink {
  /** Names this process among the replicas. */
  readonly id = randomBytes(9).toString('base64url');
  readonly prefix: string;
  readonly clock: ServerClock;
  readonly timeoutMs: number;
  readonly messages: MessageListener;
  readonly #commands: Redis;
  readonly #options: RedisLinkOptions;
  readonly #breaker: CircuitBreaker;
  readonly #heartbeat: Heartbeat;
  readonly #timer = new CallTimer();
  readonly #recoveryListeners: (() => void)[] = [];
  #isOpen = false;
  #isClosed = false;
  /** Why the server refuses to let this replica back in. */
  #refusal: string | null = null;

  constructor(options: RedisLinkOptions) {
    const { url, prefix, clock, log, timeoutMs = getLimitsTimeoutMs(url) } = options;
    this.#options = options;
    this.prefix = prefix;
    this.clock = clock;
    this.timeoutMs = timeoutMs;
    this.#commands = createConnection(url, 'utility-api', { isSubscriber: false });
    this.messages = new MessageListener(url, `${prefix}messages`, timeoutMs);
    this.#breaker = new CircuitBreaker({
      onOpen: (reason) =>
        log('warn', 'Redis does not reply: limits are counted by each replica alone', { reason }),
      onClose: () => {
        this.#refusal = null;
        log('info', 'Redis replies again: limits are shared by the replicas', {});
      },
      onRecovery: () => {
        for (const listener of this.#recoveryListeners) listener();
      },
    });
    this.#heartbeat = new Heartbeat(this);
    // The last error is the reason why a connection cannot be opened: refused, or a wrong certificate.
    let reason = CLOSED;
    this.#commands.on('error', ({ message }: Error) => (reason = message));
    this.#commands.on('close', () => {
      if (!this.#isClosed) this.#breaker.open(reason);
      reason = CLOSED;
    });
    this.#commands.on('error', (error) => this.#reportRefusal(error));
    this.#commands.on('ready', () => void this.#heartbeat.beat());
  }

  /**
   * Connects. If the server cannot be reached, the link goes on trying, and the reason is logged. Rejects
   * with RedisRefusal if the URL, or the permissions of its user, have to be corrected.
   */
  async open(): Promise<void> {
    const [error] = await Promise.all([connect(this.#commands), this.messages.open()]);
    this.#isOpen = true;
    if (error) this.#breaker.open(error.message);
    else {
      await assertPermitted(this);
      await this.#warnIfOld();
    }
    await this.#heartbeat.start();
  }

  /** The replicas that were alive lately; at least 1. */
  get replicas(): number {
    return this.#heartbeat.replicas;
  }

  /** The reason why calls fail; null while the server replies. */
  get outage(): string | null {
    return this.#breaker.reason;
  }

  onRecovery(listener: () => void): void {
    this.#recoveryListeners.push(listener);
  }

  /** Runs a script with the time of `serverTimeMs` as its first argument. */
  run(script: Script, keys: string[], args: (string | number)[]): Promise<number[]> {
    return this.call((redis) => this.#evaluate(redis, script, keys, args));
  }

  /** Makes a call. Rejects immediately while the breaker is open, else within `timeoutMs`. */
  async call<T>(work: (redis: Redis) => Promise<T>, timeoutMs = this.timeoutMs): Promise<T> {
    if (this.#breaker.reason !== null) {
      this.#options.onCall?.(false, null);
      throw new Error(this.#breaker.reason);
    }
    const reply = await this.#send(work, timeoutMs);
    this.#breaker.recordSuccess();
    return reply;
  }

  /** Makes a call whose result closes or opens the breaker. */
  async probe(script: Script, keys: string[], args: (string | number)[]): Promise<number[]> {
    const reply = await this.#send((redis) => this.#evaluate(redis, script, keys, args), this.timeoutMs);
    this.#breaker.close();
    return reply;
  }

  async #send<T>(work: (redis: Redis) => Promise<T>, timeoutMs: number): Promise<T> {
    const sentAtMs = performance.now();
    try {
      const reply = await this.#timer.limit(work(this.#commands), timeoutMs);
      this.#options.onCall?.(true, performance.now() - sentAtMs);
      return reply;
    } catch (error) {
      this.#options.onCall?.(false, performance.now() - sentAtMs);
      // The shorter timeout of caches does not show that Redis is away.
      if (!(error instanceof CallTimeout && timeoutMs < this.timeoutMs))
        this.#breaker.recordFailure((error as Error).message);
      throw error;
    }
  }

  /** Replaces a connection that does not reply: packets of the old one may arrive much later, or never. */
  reconnect(): void {
    if (this.#commands.status === 'ready' || this.#commands.status === 'connect')
      this.#commands.disconnect(true);
  }

  async close(): Promise<void> {
    await this.#heartbeat.stop();
    this.#isClosed = true;
    this.messages.close();
    this.#commands.disconnect();
  }

  async #evaluate(
    redis: Redis,
    script: Script,
    keys: string[],
    args: (string | number)[],
  ): Promise<number[]> {
    const values = [...keys, this.#options.serverTimeMs?.() ?? '', ...args];
    try {
      return parseReply(script, await redis.evalsha(script.sha, keys.length, ...values));
    } catch (error) {
      // A server that was restarted, or a replica that took over, does not have the script yet.
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return parseReply(script, await redis.eval(script.text, keys.length, ...values));
    }
  }

  /** Logs each reason once in an outage: it lasts until REDIS_URL or the server is corrected. */
  #reportRefusal(error: Error): void {
    const reason = toRefusal(error)?.message ?? null;
    if (reason === null || reason === this.#refusal || !this.#isOpen) return;
    this.#refusal = reason;
    this.#options.log('warn', 'Redis refuses the connection of this replica', { reason });
  }

  async #warnIfOld(): Promise<void> {
    const info = await this.call((redis) => redis.info('server'), 1000).catch(() => '');
    const version = /^redis_version:(\S+)/m.exec(info)?.[1];
    if (version !== undefined && Number.parseInt(version, 10) < 7)
      this.#options.log('warn', 'Redis is older than version 7, the oldest that is supported', { version });
  }
}
