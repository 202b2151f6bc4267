/** The record of a request: the phases of its work, and what the log of its account keeps. */
import type { Caller } from '#accounts';
import type { Phase, PhaseTimes, UsageEvent } from '#usage';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DISCONNECTED_STATUS } from '../wire/disconnection.ts';

/**
 * Describes a request whose response is about to be sent, for the counts and the log of its account. Nothing
 * in it is text that the client sent: names are the API's, all else are numbers.
 */
export function describeRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { keyId, accountId }: Caller,
  atMs: number,
): UsageEvent {
  const { failure, work } = request;
  const { statusCode: status } = reply;
  return {
    keyId,
    accountId,
    operation: request.operation ?? 'none',
    status,
    ms: performance.now() - request.startedAtMs,
    requestId: request.id,
    atMs,
    error: status === DISCONNECTED_STATUS ? 'disconnected' : failure?.code,
    param: request.server.fieldNames.find(failure?.param),
    route: formatRoute(request),
    units: request.units,
    limitPerMinute: findNumber(reply, 'x-ratelimit-limit'),
    limitRemaining: findNumber(reply, 'x-ratelimit-remaining'),
    timeoutMs: work?.timeoutMs,
    failedItems: work?.failedItems,
    phases: work?.phases,
  };
}

/** Returns the method and the pattern of the path; undefined if no route has the path. */
function formatRoute({ method, routePattern, operation, failure }: FastifyRequest): string | undefined {
  const isRoute = operation !== undefined || failure?.code === 'method_not_allowed';
  return isRoute && routePattern !== undefined ? `${method} ${routePattern}` : undefined;
}

function findNumber(reply: FastifyReply, name: string): number | undefined {
  const value = reply.getHeader(name);
  return typeof value === 'number' ? value : undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on routes that record nothing. */
    work: WorkRecord | null;
  }
}

/** Facts about the work of one request, for the log that its account sees. */
export class WorkRecord {
  /** The time that the work may take; undefined until it is known. */
  timeoutMs: number | undefined;
  /** Items of a batch that ended with an error; undefined if the response began before all were known. */
  failedItems: number | undefined;
  readonly #times: PhaseTimes = {};
  readonly #running = new Set<{ phase: Phase; startedAtMs: number }>();

  /** Starts a phase, and returns the function that ends it. Phases of one name add up. */
  readonly startPhase = (phase: Phase): (() => void) => {
    const part = { phase, startedAtMs: performance.now() };
    this.#running.add(part);
    return () => {
      if (this.#running.delete(part)) addTime(this.#times, part);
    };
  };

  /**
   * Returns the whole milliseconds of each phase so far, also of those that have not ended; undefined if
   * there were none. A queue that was not waited for is no phase.
   */
  get phases(): PhaseTimes | undefined {
    const times = { ...this.#times };
    for (const part of this.#running) addTime(times, part);
    const rounded = Object.entries(times)
      .map(([phase, ms]): [string, number] => [phase, Math.round(ms)])
      .filter(([phase, ms]) => phase !== 'queue' || ms > 0);
    return rounded.length === 0 ? undefined : Object.fromEntries(rounded);
  }
}

function addTime(times: PhaseTimes, { phase, startedAtMs }: { phase: Phase; startedAtMs: number }): void {
  times[phase] = (times[phase] ?? 0) + performance.now() - startedAtMs;
}
