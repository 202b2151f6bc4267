import type { ApiError } from '#errors';
import type { Place, ShareKind, Shares } from '#limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { ClientDisconnected, onResponseEnd } from '../wire/disconnection.ts';
import { requireCaller } from './admit-request.ts';

declare module 'fastify' {
  interface FastifyInstance {
    holds: RequestHolds;
  }
  interface FastifyRequest {
    /** The response that the client of an injected request reads; undefined for all other requests. */
    outerResponse: ServerResponse | undefined;
  }
}

/** The shares of its account that one request holds while it is in flight. */
export interface RequestHold {
  /** Aborts when the client disconnects, and, with the error to send, when a place is reclaimed. */
  readonly signal: AbortSignal;
  /**
   * Holds this many bytes of memory from now on, for the body or the response. Throws what Shares.take
   * throws.
   */
  setBytes(bytes: number): void;
}

/** The memory that a request holds while its body arrives. */
export interface MemoryHold extends RequestHold {
  /** Releases the memory before the response is sent. */
  release(): void;
}

/** Holds shares for the requests of one server. */
export class RequestHolds {
  readonly #shares: Shares;
  /** The response that the client of the request reads which is being injected. */
  readonly #outerResponse = new AsyncLocalStorage<ServerResponse>();

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  /**
   * Holds a place of `kind` until the response is sent or the client disconnects. Throws what Shares.take
   * throws.
   */
  hold(kind: ShareKind, request: FastifyRequest, reply: FastifyReply): RequestHold {
    return this.#open(kind, request, reply);
  }

  /** Holds memory alone, for a request whose work is done by a request that it injects. */
  holdMemory(request: FastifyRequest, reply: FastifyReply): MemoryHold {
    return this.#open(null, request, reply);
  }

  #open(kind: ShareKind | null, request: FastifyRequest, reply: FastifyReply): MemoryHold {
    const caller = requireCaller(request);
    const controller = new AbortController();
    const raw = request.outerResponse ?? reply.raw;
    const onReclaim = (error: ApiError): void => {
      controller.abort(error);
      // The status of a response that has begun cannot change any more: it can only be cut off.
      if (raw.headersSent) raw.destroy();
    };
    const place = kind === null ? null : this.#shares.take(kind, caller, 1, onReclaim);
    let memory: Place | null = null;
    onResponseEnd(raw, (isDisconnected) => {
      if (isDisconnected) controller.abort(new ClientDisconnected());
      place?.release();
      memory?.release();
    });
    return {
      signal: controller.signal,
      setBytes: (bytes) => {
        controller.signal.throwIfAborted();
        if (memory === null) memory = this.#shares.take('bodyBytes', caller, Math.max(1, bytes), onReclaim);
        else memory.resize(Math.max(1, bytes));
      },
      release: () => {
        memory?.release();
        memory = null;
      },
    };
  }

  /**
   * Runs `inject`, which injects a request. That request holds its shares until `response` is sent, which
   * forwards its own: its own is complete in memory immediately, even if the client is slow.
   */
  injectFor<T>(response: ServerResponse, inject: () => Promise<T>): Promise<T> {
    return this.#outerResponse.run(response, inject);
  }

  /** Called by the first hook of each request, in which an injected one knows what it is injected for. */
  receive(request: FastifyRequest): void {
    request.outerResponse = this.#outerResponse.getStore();
  }
}
