/** Admission to /mcp: the key, the origin, and a bound on messages that call no operation. */
import { ApiError } from '#errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOwnOrigin } from '../account/guard-request.ts';
import {
  type AdmitDeps,
  createAdmission,
  requireCaller,
  setDefaultLimitHeaders,
} from '../v1/admit-request.ts';
import { findBodyFault } from '../wire/body.ts';
import { SMALL_BODY_BYTES } from '../wire/json/body-memory.ts';

export interface McpAdmissionDeps extends AdmitDeps {
  /** PUBLIC_URL, or null if the Host of the request is used. */
  publicUrl: string | null;
}

/** Messages that call no operation, per request that the plan allows: each call may have its own handshake. */
const MESSAGES_PER_REQUEST = 3;
const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Returns a function that admits a message before its body is read, and resolves to true if no request is
 * left for its key in this minute. It rejects with `unauthorized`, `forbidden_origin`, `method_not_allowed`,
 * `unsupported_media_type`, `payload_too_large`, or `rate_limit_exceeded`.
 */
export function createMcpAdmission(deps: McpAdmissionDeps) {
  const admit = createAdmission(deps);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    acceptBearer(request);
    let refusal: ApiError | null = null;
    try {
      await admit(request, reply);
    } catch (error) {
      setDefaultLimitHeaders(deps, request, reply);
      // A message without a call is answered although no request is left, and a call with a result that says so.
      refusal = error instanceof ApiError && error.code === 'rate_limit_exceeded' ? error : null;
      if (refusal === null || request.caller === null) throw error;
    }
    checkOrigin(request, deps.publicUrl);
    if (request.method !== 'POST') {
      reply.header('allow', 'POST');
      throw new ApiError(
        'method_not_allowed',
        'MCP messages are sent with POST: there are no streams or sessions.',
      );
    }
    const fault = findBodyFault(request);
    if (fault) throw fault;
    if (refusal !== null && !isSmall(request)) throw refusal;
    return refusal !== null;
  };
}

/** Counts a message that calls no operation. Rejects with `rate_limit_exceeded`. */
export async function countMessage(deps: McpAdmissionDeps, request: FastifyRequest): Promise<void> {
  const { limitId, limitPerMinute } = requireCaller(request);
  const limit = Math.max(deps.unauthenticatedPerMinute, MESSAGES_PER_REQUEST * limitPerMinute);
  // No address has a blank: these windows are apart from those of unauthenticated requests.
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

/** Throws if the request comes from a page of another site. Programs send no Origin. */
function checkOrigin(request: FastifyRequest, publicUrl: string | null): void {
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, request, publicUrl))
    throw new ApiError('forbidden_origin');
}

function isSmall({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return length !== undefined && Number(length) <= SMALL_BODY_BYTES;
}
