import type { Redis } from 'ioredis';
import { connect, createConnection } from './connection.ts';

const STEP_MS = 5;

/** A call that was not answered in time; `late` is the reply that may still come. */
export class CallTimeout extends Error {
  override name = 'CallTimeout';
  readonly late: Promise<unknown>;

  constructor(late: Promise<unknown>) {
    super('Redis did not reply in time');
    this.late = late;
  }
}

/**
 * Limits the time of calls, in steps of the event loop: a process that was busy for longer than the timeout
 * must first read the replies that have arrived meanwhile. Otherwise a burst of requests would look like an
 * outage of Redis. One timer serves all calls.
 */
export class CallTimer {
  readonly #pending = new Set<{ steps: number; expire: () => void }>();
  #isRunning = false;

  /** Rejects if `work` takes longer; the work itself goes on. */
  limit<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const expire = (): void => reject(new CallTimeout(work));
      const call = { steps: Math.ceil(timeoutMs / STEP_MS), expire };
      this.#pending.add(call);
      if (!this.#isRunning) this.#startStep();
      const settle =
        <Value>(use: (value: Value) => void) =>
        (value: Value): void => {
          this.#pending.delete(call);
          use(value);
        };
      work.then(settle(resolve), settle(reject));
    });
  }

  #startStep(): void {
    this.#isRunning = true;
    // setImmediate: between the timer and its callback the event loop reads what has arrived.
    setTimeout(() => setImmediate(() => this.#endStep()), STEP_MS);
  }

  #endStep(): void {
    for (const call of this.#pending) {
      call.steps -= 1;
      if (call.steps > 0) continue;
      this.#pending.delete(call);
      call.expire();
    }
    this.#isRunning = false;
    if (this.#pending.size > 0) this.#startStep();
  }
}

/** Receives the messages of the other replicas on a connection of its own, which reconnects. */
export class MessageListener {
  readonly channel: string;
  readonly #connection: Redis;
  readonly #listeners: ((words: string[]) => void)[] = [];
  readonly #timeoutMs: number;
  readonly #timer = new CallTimer();
  #isSubscribed = false;

  constructor(url: string, channel: string, timeoutMs: number) {
    this.channel = channel;
    this.#timeoutMs = timeoutMs;
    this.#connection = createConnection(url, 'utility-api-messages', { isSubscriber: true });
    this.#connection.on('close', () => {
      this.#isSubscribed = false;
    });
    this.#connection.on('ready', () => void this.#subscribe());
    this.#connection.on('message', (_channel: string, message: string) => {
      const words = message.split(' ');
      for (const listener of this.#listeners) listener(words);
    });
  }

  /** True while messages arrive. */
  get isListening(): boolean {
    return this.#isSubscribed;
  }

  async open(): Promise<void> {
    if ((await connect(this.#connection)) === null) await this.#subscribe();
  }

  /** Rejects with the error of Redis if it refuses the subscription. */
  async assertPermitted(): Promise<void> {
    if (this.#isSubscribed || this.#connection.status !== 'ready') return;
    await this.#connection.subscribe(this.channel);
  }

  /** Receives the words of each message. */
  listen(listener: (words: string[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Replaces the connection if the server does not reply on it. */
  async check(): Promise<void> {
    if (this.#connection.status !== 'ready') return;
    try {
      await this.#timer.limit(this.#connection.ping(), this.#timeoutMs);
      if (!this.#isSubscribed) await this.#subscribe();
    } catch {
      this.#isSubscribed = false;
      this.#connection.disconnect(true);
    }
  }

  close(): void {
    this.#isSubscribed = false;
    this.#connection.disconnect();
  }

  async #subscribe(): Promise<void> {
    this.#isSubscribed = await this.#connection.subscribe(this.channel).then(
      () => true,
      () => false,
    );
  }
}
