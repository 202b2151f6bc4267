import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/**
 * How long a repeated request gets the first one's answer. Short: the memory holds secrets that were shown.
 */
const REMEMBER_MS = 60_000;

interface Remembered<T> {
  request: string;
  answer: Promise<T>;
  untilMs: number;
}

/**
 * Answers requests with the same Idempotency-Key once: a double click, or a retry after a lost answer, makes
 * one key.
 */
export function createAnswerMemory<T>(now: () => number) {
  const remembered = new LRUCache<string, Remembered<T>>({
    max: 1_000,
    ttl: REMEMBER_MS,
    ttlAutopurge: true,
  });

  /**
   * Runs `act`, or gives what it gave for this account and Idempotency-Key in the last minute. A failure is
   * not remembered.
   */
  async function answerOnce(accountId: string, request: FastifyRequest, act: () => Promise<T>): Promise<T> {
    const header = request.headers['idempotency-key'];
    if (header === undefined) return act();
    if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header))
      throw new ApiError('invalid_parameter', 'Idempotency-Key must be 1 to 200 characters of ASCII.', {
        param: 'Idempotency-Key',
      });
    const name = `${accountId} ${header}`;
    const content = `${request.method} ${request.url} ${JSON.stringify(request.body)}`;
    const known = remembered.get(name);
    if (known && now() < known.untilMs) {
      if (known.request === content) return known.answer;
      throw new ApiError(
        'invalid_parameter',
        'This Idempotency-Key was used for another request: take a new one.',
        {
          param: 'Idempotency-Key',
        },
      );
    }
    const answer = act();
    remembered.set(name, { request: content, answer, untilMs: now() + REMEMBER_MS });
    answer.catch(() => remembered.delete(name));
    return answer;
  }

  return { answerOnce };
}

export type AnswerMemory<T> = ReturnType<typeof createAnswerMemory<T>>;
