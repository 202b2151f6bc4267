/** Admission to /mcp: the key, the origin, and a bound on messages that call no operation. */
import { ApiError } from '#errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnownOrigin } from '../dashboard-api/guard-request.ts';
import {
  type AdmitDeps,
  createAdmission,
  requireCaller,
  setDefaultLimitHeaders,
} from '../v1/admit-request.ts';
import { findBodyFault } from '../wire/body.ts';
import { SMALL_BODY_BYTES } from '../wire/json/body-format.ts';

export interface McpAdmissionDeps extends AdmitDeps {
  /** PUBLIC_URL, or null if the host of this machine is used. */
  publicUrl: string | null;
}

/** Messages that call no operation, per request of the plan: each call may have its own handshake. */
const MESSAGES_PER_REQUEST = 3;
const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Returns a function that admits the caller of a message. It resolves to null, or to the 429 if no request is
 * left for the key in this minute: messages that call nothing are answered then, and calls with a result
 * that says so. It rejects with `unauthorized`, or with the 429 of the address.
 */
export function createMcpAdmission(deps: McpAdmissionDeps) {
  const { admit } = createAdmission(deps);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<ApiError | null> => {
    acceptBearer(request);
    try {
      await admit(request, reply);
      return null;
    } catch (error) {
      setDefaultLimitHeaders(deps, request, reply);
      const isOverLimit = error instanceof ApiError && error.code === 'rate_limit_exceeded';
      if (isOverLimit && request.caller !== null) return error;
      throw error;
    }
  };
}

/** Throws if the head of a message says that it must not be read. `overLimit` refuses the large ones. */
export function checkHead(
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl, overLimit }: { publicUrl: string | null; overLimit: ApiError | null },
): void {
  const { origin } = request.headers;
  // Programs send no Origin.
  if (origin !== undefined && !isKnownOrigin(origin, publicUrl)) throw new ApiError('forbidden_origin');
  if (request.method !== 'POST') {
    reply.header('allow', 'POST');
    throw new ApiError(
      'method_not_allowed',
      'MCP messages are sent with POST: there are no streams and no sessions.',
    );
  }
  const fault = findBodyFault(request);
  if (fault) throw fault;
  if (overLimit && !isSmall(request)) throw overLimit;
}

/** Counts a message that calls no operation. Rejects with `rate_limit_exceeded`. */
export async function countMessage(deps: McpAdmissionDeps, request: FastifyRequest): Promise<void> {
  const { limitId, limitPerMinute } = requireCaller(request);
  const limit = Math.max(deps.unauthenticatedPerMinute, MESSAGES_PER_REQUEST * limitPerMinute);
  // No address has a blank: these windows are apart from the windows of unauthenticated requests.
  const decision = await deps.addressWindows.consume(`mcp ${limitId}`, limit, 1, deps.now());
  if (decision.admitted) return;
  const { retryAfterSeconds } = decision;
  throw new ApiError(
    'rate_limit_exceeded',
    `This key has sent ${limit} MCP messages without an admitted call in this minute: wait for the number of seconds in Retry-After.`,
    { retryAfterSeconds },
  );
}

/** MCP clients that know only OAuth send the key as a bearer token. */
function acceptBearer({ headers }: FastifyRequest): void {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  if (token !== undefined) headers['x-api-key'] ??= token;
}

function isSmall({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return length !== undefined && Number(length) <= SMALL_BODY_BYTES;
}
