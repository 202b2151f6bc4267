import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/** The time that a result is cached. It is short, because results contain the secrets of new keys. */
const TTL_MS = 60_000;

interface CachedResult<T> {
  request: string;
  result: Promise<T>;
  untilMs: number;
}

/**
 * Creates a cache of results by Idempotency-Key: a double click, or a retry after a lost response, creates
 * one key.
 */
export function createIdempotencyCache<T>(now: () => number) {
  const results = new LRUCache<string, CachedResult<T>>({
    max: 1_000,
    ttl: TTL_MS,
    ttlAutopurge: true,
  });

  /**
   * Runs `act`, or returns its result for the same account, Idempotency-Key and request in the last minute.
   * Errors are not cached.
   */
  async function runOnce(accountId: string, request: FastifyRequest, act: () => Promise<T>): Promise<T> {
    const header = request.headers['idempotency-key'];
    if (header === undefined) return act();
    if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header))
      throw new ApiError('invalid_parameter', 'Idempotency-Key must be 1 to 200 characters of ASCII.', {
        param: 'Idempotency-Key',
      });
    const name = `${accountId} ${header}`;
    const content = `${request.method} ${request.url} ${JSON.stringify(request.body)}`;
    const cached = results.get(name);
    if (cached && now() < cached.untilMs) {
      if (cached.request === content) return cached.result;
      throw new ApiError(
        'invalid_parameter',
        'This Idempotency-Key was used for another request: take a new one.',
        {
          param: 'Idempotency-Key',
        },
      );
    }
    const result = act();
    results.set(name, { request: content, result, untilMs: now() + TTL_MS });
    result.catch(() => results.delete(name));
    return result;
  }

  return { runOnce };
}

export type IdempotencyCache<T> = ReturnType<typeof createIdempotencyCache<T>>;
