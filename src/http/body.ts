/** Request bodies: the media type is checked before anything of a body is read, and a body is one JSON object in UTF-8. */
import { ApiError, type ErrorCode } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { Readable } from 'node:stream';
import { bodyTooLarge } from './error-responses.ts';
import { hasBody } from './linger.ts';
import { expectsContinue, findBrokenBody } from './protocol.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

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

/** Makes the scope read every body as bytes; readJsonObject makes an object of them. */
export function readBodiesAsBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** The preParsing hook of routes with a body: the request was admitted, so its body may come, at a fair pace. */
export function admitBody(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: RequestPayload,
  done: (error: Error | null, body?: RequestPayload) => void,
): void {
  if (expectsContinue(request.raw)) reply.raw.writeContinue();
  watchPace(request, reply);
  done(findBrokenBody(request.raw) ?? null, openBody(request, payload));
}

/**
 * The stream to read a body from. That of a request that announces no body has ended before anybody could listen (the server's
 * optimizeEmptyRequests): who waits for its end would wait for ever, so such a request gets a stream that tells it.
 */
export function openBody({ raw }: FastifyRequest, payload: RequestPayload): RequestPayload {
  return raw.readableEnded ? Readable.from([]) : payload;
}

/** Makes the scope leave bodies unread, of any type: where no route takes one, none is looked at, and none can be wrong. */
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
  if (!hasBody(raw)) return;
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

/** The JSON object in a body of bytes; `emptyCode` is the contract's word for a body that is empty or not an object. */
export function readJsonObject(body: unknown, emptyCode: ErrorCode): Record<string, unknown> {
  if (!(body instanceof Uint8Array) || body.byteLength === 0) throw new ApiError(emptyCode);
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ApiError(emptyCode);
  return value as Record<string, unknown>;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (cause) {
    throw new ApiError('invalid_json', undefined, { cause });
  }
}
