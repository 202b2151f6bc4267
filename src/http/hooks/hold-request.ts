import type { Caller } from '#accounts';
import { ApiError } from '#errors';
import type { Place, ShareKind, Shares } from '#shares';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The client disconnected before its response was written: not an error of the service. */
export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected';
}

/** The caller of an admitted request. */
export function requireCaller({ caller }: FastifyRequest): Caller {
  if (!caller) throw new ApiError('unauthorized');
  return caller;
}

/**
 * Takes a place of `kind` for a request until its response is out. Returns the signal that ends the request's work: it aborts when the
 * client disconnects, and with the error to answer when the place is reclaimed. Throws what Shares.take throws.
 */
export function holdRequest(
  shares: Shares,
  kind: ShareKind,
  request: FastifyRequest,
  reply: FastifyReply,
): AbortSignal {
  const controller = new AbortController();
  const place = shares.take(kind, requireCaller(request), 1, (error) => controller.abort(error));
  releaseAfter(reply, place);
  onDisconnect(reply, () => controller.abort(new ClientDisconnected('the client disconnected')));
  return controller.signal;
}

/** Releases a place when the response is out, or the client is gone. */
export function releaseAfter({ raw }: FastifyReply, place: Place): void {
  if (raw.closed || raw.destroyed) {
    place.release();
    return;
  }
  raw.once('close', () => place.release());
  // An injected request's response never closes.
  raw.once('finish', () => place.release());
}

function onDisconnect({ raw }: FastifyReply, disconnected: () => void): void {
  if (raw.closed || raw.destroyed) disconnected();
  else
    raw.once('close', () => {
      if (!raw.writableFinished) disconnected();
    });
}
