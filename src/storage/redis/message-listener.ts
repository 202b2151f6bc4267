import type { Redis } from 'ioredis';
import { CallTimer } from './call-timer.ts';
import { connect, createConnection } from './connection.ts';

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
