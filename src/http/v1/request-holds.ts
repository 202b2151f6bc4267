import type { ApiError } from '#errors';
import type { Place, ShareKind, Shares } from '#limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ClientDisconnected, onResponseEnd } from '../wire/disconnection.ts';
import { requireCaller } from './admit-request.ts';

declare module 'fastify' {
  interface FastifyInstance {
    holds: RequestHolds;
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

/** The header of an injected request that names the response of the request that it is injected for. */
const OUTER_HEADER = 'x-outer-response';

/** Holds shares for the requests of one server. */
export class RequestHolds {
  readonly #shares: Shares;
  /** The responses that the clients of injected requests read, by a random name that no client knows. */
  readonly #outerResponses = new Map<string, ServerResponse>();

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
    const raw = this.#findOuterResponse(request) ?? reply.raw;
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
   * Runs `inject`, which injects a request with these headers. That request holds its shares until `response`
   * is sent, the response that forwards its own: its own is complete in memory at once, even if the client is
   * slow.
   */
  async injectFor<T>(
    response: ServerResponse,
    inject: (headers: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T> {
    const name = randomBytes(18).toString('base64url');
    this.#outerResponses.set(name, response);
    try {
      return await inject({ [OUTER_HEADER]: name });
    } finally {
      this.#outerResponses.delete(name);
    }
  }

  #findOuterResponse({ headers }: FastifyRequest): ServerResponse | undefined {
    const name = headers[OUTER_HEADER];
    return typeof name === 'string' ? this.#outerResponses.get(name) : undefined;
  }
}
