import type { Caller } from '#accounts';
import type { UsageEvent } from '#usage';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DISCONNECTED_STATUS } from '../wire/disconnection.ts';

/**
 * Describes a request whose response is about to be sent, for the counts and the log of its account. Nothing
 * in it is text that the client sent: names are those of the API, all else are numbers.
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
