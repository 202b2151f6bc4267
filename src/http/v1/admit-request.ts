/**
 * Admission to /v1: checks the key (401), then the monthly quota and the rate limit (429), before any other
 * part of a request.
 * Sets the X-RateLimit-* and RateLimit headers, which every response has, errors and 404 included.
 */
import type { Caller } from '#accounts';
import { ApiError } from '#errors';
import {
  type MonthlyQuotas,
  type QuotaDecision,
  WINDOW_MS,
  type WindowCounter,
  type WindowDecision,
  describeWindow,
} from '#limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { computeAddressBlock } from '../client-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The owner of the key; null outside /v1 and if the key is not valid. */
    caller: Caller | null;
    /** The operation of an admitted request; stored because Fastify builds routeOptions at each access. */
    operation: string | undefined;
    /** The pattern of the route; stored for the same reason. */
    routePattern: string | undefined;
    /** True if the operation is called for many items; its operationId then ends in `Batch`. */
    isBatch: boolean;
    /** Units that the request used of the limit of its key. */
    units: number;
    /** When the head was received, by performance.now(). */
    startedAtMs: number;
    /** True if this request has been counted against its caller's limit. */
    isCounted: boolean;
  }
  interface FastifyContextConfig {
    /** The name of the operation: operationId, metric label, column of usage. */
    operation?: string;
    /** Counts all its units once its body is parsed: admission only checks that one unit is left. */
    countsItself?: boolean;
  }
}

export interface AdmitDeps extends QuotaDeps {
  authenticate: (secret: string) => Promise<Caller | null>;
  /** Returns the caller of a key that was used recently. */
  findCaller: (secret: string) => Caller | null;
  keyWindows: WindowCounter;
  addressWindows: WindowCounter;
  unauthenticatedPerMinute: number;
}

/** Returns the caller of an admitted request. Throws `unauthorized` if it has none. */
export function requireCaller({ caller }: FastifyRequest): Caller {
  if (!caller) throw new ApiError('unauthorized');
  return caller;
}

/** The admission of requests. */
export interface Admission {
  /** Admits a request. Rejects with ApiError `unauthorized` or `rate_limit_exceeded`. */
  admit: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /**
   * Admits a request as `admit` does if its key and its counts are in memory. Returns false, with nothing
   * counted, if they are not: then `admit` decides. Throws what `admit` rejects with.
   */
  tryAdmit: (request: FastifyRequest, reply: FastifyReply) => boolean;
}

/**
 * Creates the admission. `tryAdmit` saves a short request a seventh of its time (`npm run bench -- http`).
 */
export function createAdmission(deps: AdmitDeps): Admission {
  return {
    async admit(request, reply) {
      const secret = request.headers['x-api-key'];
      let caller: Caller | null = null;
      try {
        if (typeof secret === 'string' && secret !== '') caller = await deps.authenticate(secret);
      } catch (error) {
        // Whether the key is valid is unknown: the request does not count as a guess.
        throw await countRefused(deps, request, reply, error, 0);
      }
      if (!caller || !mayCallFrom(caller, request))
        throw await countRefused(deps, request, reply, new ApiError('unauthorized'));
      setCaller(request, caller);
      admitCounted(request, reply, caller, await consumeUnitsOf(deps, caller, getCost(request)));
    },
    tryAdmit(request, reply) {
      const secret = request.headers['x-api-key'];
      const caller = typeof secret === 'string' ? deps.findCaller(secret) : null;
      // A quota has two counts, of which one may not be in memory.
      if (!caller || !mayCallFrom(caller, request) || getQuota(deps, caller) !== undefined) return false;
      const { limitId, limitPerMinute } = caller;
      const window = deps.keyWindows.tryConsume(limitId, limitPerMinute, getCost(request), deps.now());
      if (window === null) return false;
      const error = window.admitted ? null : rateLimitExceeded(window);
      setCaller(request, caller);
      admitCounted(request, reply, caller, { window, error });
      return true;
    },
  };
}

function mayCallFrom({ clientNetworks }: Caller, { ip }: FastifyRequest): boolean {
  return clientNetworks?.contains(ip) !== false;
}

/** Returns the units that admission counts: none if the route counts them once it knows them. */
function getCost({ routeOptions }: FastifyRequest): 0 | 1 {
  return routeOptions.config.countsItself ? 0 : 1;
}

function setCaller(request: FastifyRequest, caller: Caller): void {
  const { config, url } = request.routeOptions;
  request.caller = caller;
  request.operation = config.operation;
  request.routePattern = url;
  request.isBatch = config.countsItself === true;
}

/** Admits a request that was counted. Throws its error, or `unauthorized` if its key may not send it. */
function admitCounted(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  { window, error }: Count,
): void {
  const { operation } = request;
  const cost = getCost(request);
  setLimitHeaders(reply, window);
  request.isCounted = cost > 0 || error !== null;
  if (error) throw error;
  request.units = cost;
  if (operation !== undefined && caller.operations !== null && !caller.operations.includes(operation))
    throw new ApiError(
      'unauthorized',
      'This API key is not allowed to call this operation: use one that is.',
    );
}

/** The state of the rate limit after a request, and the 429 if it is refused. */
interface Count {
  window: WindowDecision;
  error: ApiError | null;
}

/** Counts units against the quota of the account, then against the limit of the key: of both, or of none. */
async function consumeUnitsOf(
  deps: UnitDeps,
  caller: Caller,
  cost: number,
  wording?: UnitWording,
): Promise<Count> {
  const { limitId, limitPerMinute } = caller;
  const quota = await consumeQuota(deps, caller, cost);
  const isOverQuota = quota !== null && !quota.admitted;
  const units = isOverQuota ? 0 : cost;
  const window = await deps.keyWindows.consume(limitId, limitPerMinute, units, deps.now());
  if (isOverQuota) return { window, error: quotaExceeded(quota, cost, wording) };
  if (window.admitted) return { window, error: null };
  releaseQuota(deps, caller, cost);
  return { window, error: wording ? tooManyUnits(window, cost, wording) : rateLimitExceeded(window) };
}

/** Counts a refused request against its address. Returns `error`, or the 429 of the address. */
async function countRefused(
  { addressWindows, unauthenticatedPerMinute, now }: AdmitDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  cost = 1,
): Promise<unknown> {
  const block = computeAddressBlock(request.ip);
  const decision = await addressWindows.consume(block, unauthenticatedPerMinute, cost, now());
  setLimitHeaders(reply, decision);
  return decision.admitted ? error : rateLimitExceeded(decision);
}

type UnitDeps = Pick<AdmitDeps, 'keyWindows' | 'quotas' | 'now'>;

/**
 * Counts `cost` units of a request besides those that it has used, all or none. Rejects with
 * `rate_limit_exceeded`, whose message has this wording.
 */
export async function consumeUnits(
  deps: UnitDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  cost: number,
  wording: UnitWording = BATCH_WORDING,
): Promise<void> {
  const caller = requireCaller(request);
  request.isCounted = true;
  const { window, error } = await consumeUnitsOf(deps, caller, cost, wording);
  setLimitHeaders(reply, window);
  if (error) throw error;
  request.units += cost;
}

/** Returns the 429 of a request that counts more units than are left. */
function tooManyUnits(
  { limit, remaining, retryAfterSeconds }: WindowDecision,
  cost: number,
  { subject, advice }: UnitWording,
): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `${subject} ${cost} requests of the rate limit, and ${remaining} of ${limit} are left in this minute: ${advice}, or wait for the number of seconds in Retry-After.`,
    { retryAfterSeconds },
  );
}

/** Counts one unit for a request that was refused before it could count itself. */
export async function countRefusal(
  deps: UnitDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!request.caller || request.isCounted) return;
  // If another request used the last unit meanwhile, the error that is being sent stays the same.
  await consumeUnits(deps, request, reply, 1).catch(() => {});
}

/**
 * Sets the limit headers of a request that could not be counted because the counter failed: nothing is used.
 */
export function setDefaultLimitHeaders(
  deps: Pick<AdmitDeps, 'unauthenticatedPerMinute' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (reply.hasHeader('x-ratelimit-limit')) return;
  const limit = request.caller?.limitPerMinute ?? deps.unauthenticatedPerMinute;
  const window = describeWindow(Math.floor(deps.now() / WINDOW_MS), deps.now());
  setLimitHeaders(reply, { admitted: false, limit, remaining: limit, ...window });
}

function setLimitHeaders(reply: FastifyReply, decision: WindowDecision): void {
  reply.header('x-ratelimit-limit', decision.limit);
  reply.header('x-ratelimit-remaining', decision.remaining);
  reply.header('x-ratelimit-reset', decision.resetAtSeconds);
  // draft-ietf-httpapi-ratelimit-headers-11: the same figures as structured fields, in seconds from now.
  reply.header('ratelimit-policy', `"default";q=${decision.limit};w=${WINDOW_MS / 1000}`);
  reply.header('ratelimit', `"default";r=${decision.remaining};t=${decision.retryAfterSeconds}`);
}

function rateLimitExceeded({ retryAfterSeconds }: WindowDecision): ApiError {
  return new ApiError('rate_limit_exceeded', undefined, { retryAfterSeconds });
}

interface QuotaDeps {
  /** Absent if no plan has a quota. */
  quotas?: Pick<MonthlyQuotas, 'consume' | 'release'> | undefined;
  now: () => number;
}

/** The words of a 429 of a request that needs several units. */
export interface UnitWording {
  /** Begins a sentence that goes on with the number of units. */
  subject: string;
  advice: string;
}

const BATCH_WORDING: UnitWording = { subject: 'The batch needs', advice: 'send fewer items' };

/** Counts units of the caller's account; null if its plan has no quota. */
async function consumeQuota(deps: QuotaDeps, caller: Caller, cost: number): Promise<QuotaDecision | null> {
  const quota = getQuota(deps, caller);
  if (quota === undefined) return null;
  return deps.quotas?.consume(caller.accountId, quota, cost, deps.now()) ?? null;
}

/** Returns the units a month of the caller's account; undefined if there is no quota. */
function getQuota({ quotas }: QuotaDeps, { monthlyQuota }: Caller): number | undefined {
  return quotas === undefined ? undefined : monthlyQuota;
}

/** Takes back units of a request that the rate limit refused. */
function releaseQuota({ quotas }: QuotaDeps, caller: Caller, cost: number): void {
  if (cost > 0 && caller.monthlyQuota !== undefined) quotas?.release(caller.accountId, cost);
}

/** Returns the 429 of a request over the quota. */
function quotaExceeded(
  { quota, remaining, resetsAtMs, retryAfterSeconds }: QuotaDecision,
  cost: number,
  { subject, advice } = BATCH_WORDING,
): ApiError {
  const reset = `${new Date(resetsAtMs).toISOString().slice(0, 10)}, 00:00 UTC`;
  const message =
    remaining > 0 && cost > remaining
      ? `${subject} ${cost} requests of the monthly quota of the account, and ${remaining} of ${quota} are left until it resets on ${reset}: ${advice}, or ask the operator for a larger plan.`
      : `The monthly quota of the account, ${quota} requests, is used up. It resets on ${reset}: wait for the number of seconds in Retry-After, or ask the operator for a larger plan.`;
  return new ApiError('rate_limit_exceeded', message, { retryAfterSeconds });
}
