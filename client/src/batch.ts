/** Batches of any length: chunks that fit into the rate limit, streamed, resumed where a stream breaks. */
import { ChunkSize } from './chunk-size.ts';
import { ConnectionError } from './errors.ts';
import { type AttemptLimits, Exchange } from './exchange.ts';
import { type BatchInput, InputQueue } from './input-queue.ts';
import type { CallSettings, ClientSettings } from './options.ts';
import { MAX_RESULT_BYTES, readLines } from './read-lines.ts';
import { describeResponse } from './response.ts';
import { Retries } from './retries.ts';

/** An operation that answers a list of texts with a line for each. */
export interface BatchOperation {
  path: string;
  /** The member of the request with the texts. */
  member: string;
  /** The most texts that a request takes. */
  maxRows: number;
  /** The default time limit of each wait for a part. */
  timeoutMs: number;
}

/** One batch over all its requests. */
export class Batch<Row> {
  readonly #client: ClientSettings;
  readonly #operation: BatchOperation;
  readonly #settings: CallSettings;
  readonly #size: ChunkSize;
  readonly #retries: Retries;
  readonly #limits: AttemptLimits;

  constructor(client: ClientSettings, operation: BatchOperation, settings: CallSettings) {
    this.#client = client;
    this.#operation = operation;
    this.#settings = settings;
    this.#size = new ChunkSize(operation.maxRows);
    this.#retries = new Retries(settings, false);
    const {
      signal,
      timeoutMs = operation.timeoutMs,
      maxResponseBytes: maxBytes = MAX_RESULT_BYTES,
    } = settings;
    this.#limits = { signal, timeoutMs, isStreamed: true, maxBytes, deadline: this.#retries.deadline };
  }

  /** Yields the row of each text in the order of the input. `options` are the other members of requests. */
  async *run(input: BatchInput, options: object): AsyncGenerator<Row, void> {
    const queue = new InputQueue(input);
    try {
      for (;;) {
        const texts = await queue.peek(this.#size.rows);
        if (texts.length === 0) return;
        yield* this.#runChunk(texts, options, queue);
      }
    } finally {
      await queue.close();
    }
  }

  /** Yields the rows of one request until its end or its failure, after which the rest is sent again. */
  async *#runChunk(texts: readonly string[], options: object, queue: InputQueue): AsyncGenerator<Row, void> {
    const rows = this.#streamRows(texts, options);
    try {
      for (;;) {
        const next = await readNext(rows);
        if ('error' in next) {
          if (!this.#size.shrink(next.error, texts.length)) await this.#retries.wait(next.error);
          return;
        }
        if (next.done) return;
        this.#retries.reset();
        queue.drop();
        yield next.value;
      }
    } finally {
      await rows.return();
    }
  }

  /** Sends one request and yields its rows. Throws ConnectionError if they are too few. */
  async *#streamRows(texts: readonly string[], options: object): AsyncGenerator<Row, void> {
    const { path, member } = this.#operation;
    const body = JSON.stringify({ ...options, [member]: texts });
    const request = { path, accept: 'application/x-ndjson', body };
    const exchange = await Exchange.open(this.#client, request, this.#limits);
    let count = 0;
    try {
      const facts = describeResponse(exchange.response);
      this.#size.adapt(facts.rateLimit);
      this.#settings.onResponse?.(facts);
      for await (const row of readLines(exchange)) {
        count += 1;
        yield row as Row;
        if (count === texts.length) return;
      }
      throw new ConnectionError(`The response broke off after ${count} of ${texts.length} rows.`);
    } finally {
      if (count === texts.length) exchange.finish();
      else exchange.close();
    }
  }
}

/** Returns the next row or the error of the stream, apart from errors that the consumer throws. */
async function readNext<Row>(rows: AsyncGenerator<Row, void>) {
  try {
    return await rows.next();
  } catch (error) {
    return { error };
  }
}
