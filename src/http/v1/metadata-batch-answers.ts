/** The answers to the URLs of one batch, each like the response to a single request. */
import { ApiError } from '#errors';
import { workInTurn } from '#concurrency';
import type { GetMetadataRequest, MetadataResult } from '#metadata';
import type { ShareHolder } from '#limits';
import type { FastifyBaseLogger } from 'fastify';
import { setTimeout } from 'node:timers/promises';
import type { GetMetadata } from './get-metadata.ts';
import { countCharacters, formatMetadata, SMALL_RESULT_CHARACTERS } from './metadata-result.ts';

/** The time of a whole batch. */
export const BATCH_MS = 60_000;
const MAX_PAUSE_MS = 5_000;

/** An answer as JSON, and the memory of the account that it holds. */
export interface BatchAnswer {
  json: Buffer;
  release: () => void;
}

export interface BatchAnswersOptions {
  requests: readonly GetMetadataRequest[];
  caller: ShareHolder;
  getMetadata: GetMetadata;
  /** Holds memory of the account. Throws ApiError if its share does not suffice. */
  holdBytes: (bytes: number) => () => void;
  logger: FastifyBaseLogger;
  requestId: string;
  now: () => number;
  /** Called for each URL that is answered with an error. */
  onFailedItem: () => void;
}

/** Answers the URLs of one batch, within 60 s from its creation. */
export class BatchAnswers {
  readonly #options: BatchAnswersOptions;
  readonly #deadline: number;

  constructor(options: BatchAnswersOptions) {
    this.#options = options;
    this.#deadline = options.now() + BATCH_MS;
  }

  /** Answers one URL with its result or its error. Rejects with the reason of the signal only. */
  async answer(index: number, signal: AbortSignal): Promise<BatchAnswer> {
    const request = this.#options.requests[index] as GetMetadataRequest;
    try {
      const { ageSeconds, ...page } = await this.#fetchWithRetries(request, signal);
      const age = ageSeconds === undefined ? {} : { age: ageSeconds };
      const format = () => Buffer.from(JSON.stringify({ index, ...age, ...formatMetadata(page) }));
      const isSmall = countCharacters(page) <= SMALL_RESULT_CHARACTERS;
      const json = isSmall ? format() : await workInTurn(format, this.#options.caller.accountId);
      return { json, release: this.#options.holdBytes(json.length) };
    } catch (error) {
      signal.throwIfAborted();
      this.#options.onFailedItem();
      const item = { index, url: request.url, error: this.#formatError(error) };
      // It is short and in place of a result: the batch has an answer for each URL, whatever memory is left.
      return { json: Buffer.from(JSON.stringify(item)), release: () => {} };
    }
  }

  /**
   * Gets the metadata as soon as the account's shares and the service allow it: a batch waits for its turn
   * where a single request is refused.
   */
  async #fetchWithRetries(request: GetMetadataRequest, signal: AbortSignal): Promise<MetadataResult> {
    const { getMetadata, caller, now } = this.#options;
    for (let tries = 0; ; tries += 1) {
      const remainingMs = this.#deadline - now();
      if (remainingMs <= 0) throw batchTimeout();
      const timeoutMs = Math.min(request.timeoutMs, remainingMs);
      try {
        return await getMetadata({ ...request, timeoutMs }, caller, signal, { maxWaitMs: Infinity });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'timeout' && timeoutMs < request.timeoutMs) throw batchTimeout();
        if (error.code !== 'overloaded' && error.code !== 'rate_limit_exceeded') throw error;
        // Longer each time: a fetch that was stopped for another account begins again at the target.
        const pauseMs = Math.min((error.retryAfterSeconds ?? 1) * 1000 * 2 ** tries, MAX_PAUSE_MS);
        await setTimeout(Math.min(pauseMs, this.#deadline - now()), undefined, { signal });
      }
    }
  }

  /** Returns the members of the error body that a single request would have, and its status. */
  #formatError(thrown: unknown): object {
    const { logger, requestId } = this.#options;
    const error =
      thrown instanceof ApiError ? thrown : new ApiError('internal', undefined, { cause: thrown });
    if (error.code === 'internal')
      logger.error({ requestId, err: error.cause, code: error.code }, 'a URL of a batch failed');
    const { status, code, message, param } = error;
    return { status, error: code, message, ...(param === undefined ? {} : { param }) };
  }
}

function batchTimeout(): ApiError {
  return new ApiError(
    'timeout',
    `The ${BATCH_MS / 1000} s of the batch ended before the target URL answered: send it again, with fewer others.`,
  );
}
