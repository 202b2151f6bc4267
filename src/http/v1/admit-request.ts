/**
 * The door of /v1: key (401), then rate limit (429), before anything else of a request is looked at. Sets the X-RateLimit-* headers that
 * every later answer carries, errors and 404s too.
 */
import { type Caller, isClientAllowed } from '#accounts';
import { ApiError } from '#errors';
import { WINDOW_MS, type WindowCounter, type WindowDecision } from '#ratelimit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readAddressBlock } from '../caller-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose key this request carries; null outside /v1 and where the key is not good. */
    caller: Caller | null;
    /** The operation of an admitted request; kept here because Fastify builds routeOptions anew at each look. */
    operation: string | undefined;
    /** When its head was read, by performance.now(). */
    startedAtMs: number;
    /** Whether this request has been counted against its caller's limit. */
    isCounted: boolean;
  }
  interface FastifyContextConfig {
    /** The operation's one name: operationId, metric label, usage column. */
    operation?: string;
    /** Counts more than one unit, once its body is known: the door only asks whether any is left. */
    countsItself?: boolean;
  }
}

export interface AdmitDeps {
  authenticate: (secret: string) => Caller | null | Promise<Caller | null>;
  keyWindows: WindowCounter;
  addressWindows: WindowCounter;
  unauthenticatedPerMinute: number;
  now: () => number;
}

/**
 * Answers the admission of one request: undefined where it may go on, a promise where that takes a while.
 * Throws, or rejects with, ApiError `unauthorized` or `rate_limit_exceeded`. Synchronous while keys and counts are in memory.
 */
export function createAdmission(
  deps: AdmitDeps,
): (request: FastifyRequest, reply: FastifyReply) => void | Promise<void> {
  function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    cost = 1,
  ): void | Promise<void> {
    const block = readAddressBlock(request.ip);
    return proceed(
      deps.addressWindows.consume(block, deps.unauthenticatedPerMinute, cost, deps.now()),
      (decision) => {
        setLimitHeaders(reply, decision);
        throw decision.admitted ? error : rateLimitExceeded(decision, deps.now());
      },
    );
  }

  function admitCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | null,
  ): void | Promise<void> {
    if (!caller || (caller.clientCidrs !== null && !isClientAllowed(caller.clientCidrs, request.ip)))
      return refuse(request, reply, new ApiError('unauthorized'));
    request.caller = caller;
    const { operation, countsItself } = request.routeOptions.config;
    request.operation = operation;
    const cost = countsItself ? 0 : 1;
    return proceed(
      deps.keyWindows.consume(caller.limitId, caller.limitPerMinute, cost, deps.now()),
      (decision) => {
        setLimitHeaders(reply, decision);
        request.isCounted = cost > 0 || !decision.admitted;
        if (!decision.admitted) throw rateLimitExceeded(decision, deps.now());
        if (operation !== undefined && caller.operations !== null && !caller.operations.includes(operation))
          throw new ApiError(
            'unauthorized',
            'This API key is not allowed to call this operation: use one that is.',
          );
      },
    );
  }

  return function admit(request, reply) {
    const secret = request.headers['x-api-key'];
    const answer = typeof secret === 'string' && secret !== '' ? deps.authenticate(secret) : null;
    if (!(answer instanceof Promise)) return admitCaller(request, reply, answer);
    return answer.then(
      (caller) => admitCaller(request, reply, caller),
      // Nobody can tell now whether the key is good: that is no guess.
      (error: unknown) => refuse(request, reply, error, 0),
    );
  };
}

/** Goes on with a value at once where it is there, later where it is promised. */
function proceed<T>(value: T | Promise<T>, use: (value: T) => void): void | Promise<void> {
  return value instanceof Promise ? value.then((settled) => use(settled)) : use(value);
}

/** Counts the units of a request that counts itself (a batch: one an address), all or none; 429 where they do not fit now. */
export async function takeUnits(
  deps: Pick<AdmitDeps, 'keyWindows' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
  cost: number,
): Promise<void> {
  const { caller } = request;
  if (!caller) throw new ApiError('unauthorized');
  request.isCounted = true;
  const decision = await deps.keyWindows.consume(caller.limitId, caller.limitPerMinute, cost, deps.now());
  setLimitHeaders(reply, decision);
  if (!decision.admitted) throw rateLimitExceeded(decision, deps.now());
}

/** A request that counts itself and was refused before it could is counted as one, like any other that was admitted. */
export async function countRefusal(
  deps: Pick<AdmitDeps, 'keyWindows' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!request.caller || request.isCounted) return;
  // The last unit may have gone to another request meanwhile; the refusal that is being answered stands.
  await takeUnits(deps, request, reply, 1).catch(() => {});
}

/** The limit headers of a request that could not be counted, because what counts is away: the limit, with nothing known to be taken. */
export function setUncountedLimit(
  deps: Pick<AdmitDeps, 'unauthenticatedPerMinute' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (reply.hasHeader('x-ratelimit-limit')) return;
  const limit = request.caller?.limitPerMinute ?? deps.unauthenticatedPerMinute;
  const resetAtSeconds = ((Math.floor(deps.now() / WINDOW_MS) + 1) * WINDOW_MS) / 1000;
  setLimitHeaders(reply, { admitted: false, limit, remaining: limit, resetAtSeconds });
}

function setLimitHeaders(reply: FastifyReply, decision: WindowDecision): void {
  reply.header('x-ratelimit-limit', decision.limit);
  reply.header('x-ratelimit-remaining', decision.remaining);
  reply.header('x-ratelimit-reset', decision.resetAtSeconds);
}

function rateLimitExceeded(decision: WindowDecision, nowMs: number): ApiError {
  return new ApiError('rate_limit_exceeded', undefined, {
    retryAfterSeconds: Math.max(1, Math.ceil(decision.resetAtSeconds - nowMs / 1000)),
  });
}
