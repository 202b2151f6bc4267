/** Request bodies before they are read: their media type, their announced length, the pace at which they arrive. */
import { ApiError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { bodyTooLarge } from '../error-responses.ts';
import { hasBody } from './linger.ts';
import { expectsContinue } from './expect-continue.ts';
import { findBrokenBody } from './malformed-requests.ts';

/** 415 where the body is not announced as plain JSON, 413 where its announced length is over the route's limit, else null. */
export function findBodyFault(request: FastifyRequest): ApiError | null {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = request.headers;
  const mediaType = (type ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (
    mediaType !== 'application/json' ||
    (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
  )
    return new ApiError('unsupported_media_type');
  const { bodyLimit } = request.routeOptions;
  return Number(length) > bodyLimit ? bodyTooLarge(bodyLimit) : null;
}

/**
 * Starts the transfer of an admitted request's body: the client may send it, at a fair pace. Returns the stream to read it from. That of a
 * request that announces no body has ended before anything could listen (the server's optimizeEmptyRequests): it gets an empty one.
 * Throws what broke a body that the HTTP parser refused.
 */
export function beginBody(request: FastifyRequest, reply: FastifyReply): RequestPayload {
  const { raw } = request;
  const fault = findBrokenBody(raw);
  if (fault) throw fault;
  if (raw.readableEnded) return Readable.from([]);
  if (expectsContinue(raw)) reply.raw.writeContinue();
  watchPace(request, reply);
  return raw;
}

/**
 * Makes the scope leave bodies unread, of any type: routes without a body never look at one, and the others read it themselves, once they
 * have checked everything else.
 */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

const GRACE_MS = 5000;
const MIN_BYTES_PER_SECOND = 256;

/**
 * Ends the reading of a body that trickles in (after 5 s, under 256 bytes a second on the average) with 408: a connection held open by a byte
 * now and then costs its sender nothing. A modem is faster than that.
 */
export function watchPace(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  // A request of our own has no socket; the one behind it is watched.
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
    // Not destroy: that would close the socket before the answer is out.
    raw.emit('error', new ApiError('timeout', 'The body did not arrive in time: send it without pauses.'));
  }, 1000);
  const stop = (): void => clearInterval(timer);
  for (const event of ['end', 'error']) raw.once(event, stop);
  // A request that was answered before its end tells nothing of its end; its answer does. Both may be over already.
  reply.raw.once('close', stop);
  if (raw.complete || raw.socket.destroyed) stop();
}
