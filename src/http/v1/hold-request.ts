import type { Caller } from '#accounts';
import { ApiError } from '#errors';
import { continueInTurn } from '#event-loop';
import type { Place, ShareKind, Shares } from '#shares';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';

/** The client disconnected before its response was written: not an error of the service. */
export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected';
}

/** What a request in flight holds of its account's shares. */
export interface RequestHold {
  /** Ends the request's work: aborts when the client disconnects, and with the error to answer when a place is reclaimed. */
  readonly signal: AbortSignal;
  /** Holds so many bytes of memory from now on, for its body or its response. Throws what Shares.take throws. */
  setBytes(bytes: number): void;
}

/** The caller of an admitted request. */
export function requireCaller({ caller }: FastifyRequest): Caller {
  if (!caller) throw new ApiError('unauthorized');
  return caller;
}

/** Requests that are injected on behalf of another one, by their keys: the responses that their clients read. */
const outerResponses = new Map<string, ServerResponse>();

/**
 * Runs a request that is injected with this one-use key: it holds its places until `response`, which passes its own response on, is out.
 * Its own is out at once, in memory, however slowly the client reads.
 */
export async function holdUntilSent<T>(
  key: string,
  response: ServerResponse,
  inject: () => Promise<T>,
): Promise<T> {
  outerResponses.set(key, response);
  try {
    return await inject();
  } finally {
    outerResponses.delete(key);
  }
}

/** The response that the client of a request reads. */
function findResponse({ headers }: FastifyRequest, { raw }: FastifyReply): ServerResponse {
  const key = headers['x-api-key'];
  return (typeof key === 'string' && outerResponses.get(key)) || raw;
}

/** Takes a place of `kind` for a request until its response is out, or its client is gone. Throws what Shares.take throws. */
export function holdRequest(
  shares: Shares,
  kind: ShareKind,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestHold {
  const caller = requireCaller(request);
  const controller = new AbortController();
  const raw = findResponse(request, reply);
  const onReclaim = (error: ApiError): void => {
    controller.abort(error);
    // A response that has begun can only be cut off.
    if (raw.headersSent) raw.destroy();
  };
  const place = shares.take(kind, caller, 1, onReclaim);
  let memory: Place | null = null;
  const release = (): void => {
    place.release();
    memory?.release();
  };
  onEnd(raw, (isDisconnected) => {
    if (isDisconnected) controller.abort(new ClientDisconnected('the client disconnected'));
    release();
  });
  return {
    signal: controller.signal,
    setBytes(bytes) {
      controller.signal.throwIfAborted();
      if (memory === null) memory = shares.take('bodyBytes', caller, Math.max(1, bytes), onReclaim);
      else memory.resize(Math.max(1, bytes));
    },
  };
}

/** Calls back when the response is out, or the client disconnected before that. */
function onEnd(raw: ServerResponse, callback: (isDisconnected: boolean) => void): void {
  if (raw.closed || raw.destroyed) {
    callback(true);
    return;
  }
  // The response of an injected request finishes without ever closing.
  raw.once('finish', () => callback(false));
  // The disconnection of many clients at once ends much work.
  raw.once('close', () => {
    if (raw.writableFinished) callback(false);
    else continueInTurn(() => callback(true));
  });
}

/** Returns a signal that aborts when the client disconnects before its response is written. */
export function abortOnHangUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new ClientDisconnected('the client disconnected'));
  });
  return controller.signal;
}
