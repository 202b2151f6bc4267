/** Request bodies before they are read: media type, announced length, and the pace of their arrival. */
import { ApiError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { bodyTooLarge } from '../error-responses.ts';
import { hasBody } from './linger.ts';
import { expectsContinue } from './request-head.ts';
import type { MalformedRequests } from './malformed-requests.ts';

declare module 'fastify' {
  interface FastifyInstance {
    malformedRequests: MalformedRequests;
  }
  interface FastifyContextConfig {
    /** The media types of bodies that the route accepts; JSON alone by default. */
    mediaTypes?: readonly string[];
  }
}

/** Returns the media type of a request in lower case, without its parameters; empty without one. */
export function getMediaType({ headers }: FastifyRequest): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Returns 415 if the body is not announced as a type of the route, 413 if its announced length is over the
 * route's limit, else null.
 */
export function findBodyFault(request: FastifyRequest): ApiError | null {
  const { 'content-encoding': encoding, 'content-length': length } = request.headers;
  const { bodyLimit, config } = request.routeOptions;
  if (
    !(config.mediaTypes ?? ['application/json']).includes(getMediaType(request)) ||
    (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
  )
    return new ApiError('unsupported_media_type');
  return Number(length) > bodyLimit ? bodyTooLarge(bodyLimit) : null;
}

/**
 * Starts the transfer of an admitted request's body, and returns the stream to read it from. Sends 100 if the
 * client waits for it, and ends bodies that arrive too slowly. Throws the fault of a body that the HTTP
 * parser refused.
 */
export function beginBody(request: FastifyRequest, reply: FastifyReply): RequestPayload {
  const { raw } = request;
  const fault = request.server.malformedRequests.findBodyFault(raw);
  if (fault) throw fault;
  // Without a body the stream has ended before anything could listen (optimizeEmptyRequests).
  if (raw.readableEnded) return Readable.from([]);
  if (expectsContinue(raw)) reply.raw.writeContinue();
  watchPace(request, reply);
  return raw;
}

/**
 * Keeps Fastify from reading bodies in this scope: routes read them after all other checks, or not at all.
 */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

const GRACE_MS = 5000;
const MIN_BYTES_PER_SECOND = 256;

/**
 * Ends a body with 408 if after 5 s it arrives at under 256 bytes per second on average, so that a client
 * cannot hold a connection with a byte now and then. Any modem is faster than that.
 */
function watchPace(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  // An injected request has no socket; the request that it was injected for is watched.
  if (!hasBody(raw) || !(raw instanceof IncomingMessage)) return;
  const startBytes = raw.socket.bytesRead;
  let elapsedMs = 0;
  const timer = setInterval(() => {
    elapsedMs += 1000;
    if (
      elapsedMs < GRACE_MS ||
      raw.socket.bytesRead - startBytes >= (elapsedMs / 1000) * MIN_BYTES_PER_SECOND
    )
      return;
    stop();
    // Not destroy: that would close the socket before the response is sent.
    raw.emit('error', new ApiError('timeout', 'The body did not arrive in time: send it without pauses.'));
  }, 1000);
  const stop = (): void => clearInterval(timer);
  for (const event of ['end', 'error']) raw.once(event, stop);
  // A request that was refused before its end emits no 'end': its response closes. Both may have ended
  // already.
  reply.raw.once('close', stop);
  if (raw.complete || raw.socket.destroyed) stop();
}
