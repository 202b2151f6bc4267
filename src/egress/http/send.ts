import { onAbort } from '#concurrency';
import type { StartPhase } from '#metadata';
import { restrictPolicy, type AddressPolicy, type Reach } from '../guard/address-policy.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { dial, type DialedSocket } from './dial.ts';
import { Exchange, type ExchangeListener } from './exchange.ts';
import type { RawHeaders } from './headers.ts';
import { Refusal } from '../guard/refusal.ts';
import { type LookupAddresses, type Target, parseTarget, vetTarget } from '../guard/vet-target.ts';
import type { ByteBudget } from './byte-budget.ts';

/** The parts that all fetches share: the policy, the resolver and the connections. */
export interface EgressContext {
  policy: AddressPolicy;
  lookup: LookupAddresses;
  pool: ConnectionPool;
  byteBudget: ByteBudget;
}

/**
 * Returns a context that reaches no address outside `reach`, if one is given. It shares the connections: an
 * open one is used again only if the policy permits its peer.
 */
export function restrictContext(context: EgressContext, reach: Reach | undefined): EgressContext {
  return reach === undefined ? context : { ...context, policy: restrictPolicy(context.policy, reach) };
}

export interface HopRequest {
  /** The key of the caller: connections to a host are shared fairly among clients. */
  client: string;
  /** Aborts the signal of the fetch with this reason. */
  abort: (error: Error) => void;
  url: URL;
  method: string;
  /** Names and values, alternating. */
  headers: string[];
  body?: Uint8Array;
  /** Connections are reused within a partition only. */
  partition: string;
  /** Bytes that may be read from the socket, heads and framing included. */
  maxWireBytes: number;
  /** Observes the phases of the hop. */
  startPhase?: StartPhase | undefined;
}

/**
 * Receives the response of one hop; `exchange` controls it. Exactly one of `onEnd` and `onError` is called,
 * unless the exchange is canceled.
 */
export interface HopListener {
  /** Called before anything else with the address of the connection that carries the request. */
  onPeer?(address: string): void;
  onHead(status: number, headers: RawHeaders, exchange: Exchange): void;
  onData(chunk: Buffer, exchange: Exchange): void;
  onEnd(): void;
  onError(error: unknown): void;
}

/** Methods that may be sent again if a reused connection was closed by the host (RFC 9110 §9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS']);

async function connect(
  context: EgressContext,
  request: HopRequest,
  mayReuse: boolean,
  signal: AbortSignal,
): Promise<Connection> {
  const target = parseTarget(request.url);
  return context.pool.acquire(target, {
    client: request.client,
    abort: request.abort,
    partition: request.partition,
    mayReuse,
    signal,
    permits: (peer) => context.policy.permits(peer, target.port),
    open: () => open(context, target, request, signal),
  });
}

/** Resolves the name and dials. */
async function open(
  { policy, lookup }: EgressContext,
  target: Target,
  { startPhase }: HopRequest,
  signal: AbortSignal,
): Promise<DialedSocket> {
  let end = startPhase?.('dns');
  try {
    const addresses = await vetTarget(target, policy, lookup, signal);
    end?.();
    end = startPhase?.('connect');
    return await dial(target, addresses, policy, signal);
  } finally {
    end?.();
  }
}

/** One request on one connection; the response goes to the listener of the hop. */
class HopExchange implements ExchangeListener {
  readonly #connection: Connection;
  readonly #listener: HopListener;
  readonly #signal: AbortSignal;
  readonly #exchange: Exchange;
  readonly #outcome = Promise.withResolvers<'done' | 'stale'>();
  #removeLimit = () => {};
  #stopListening = () => {};

  constructor(connection: Connection, listener: HopListener, signal: AbortSignal) {
    this.#connection = connection;
    this.#listener = listener;
    this.#signal = signal;
    this.#exchange = new Exchange(connection, this);
  }

  /**
   * Sends the request. Resolves with `stale` if the host closed the reused connection before any byte of a
   * response.
   */
  run({ url, method, headers, body, maxWireBytes }: HopRequest, byteBudget: ByteBudget) {
    this.#listener.onPeer?.(this.#connection.peer);
    this.#removeLimit = byteBudget.limit(this.#connection.socket, maxWireBytes, () =>
      this.#exchange.fail(tooManyBytes(maxWireBytes)),
    );
    const path = url.pathname + url.search;
    this.#exchange.start({ method, path, headers, ...(body === undefined ? {} : { body }) });
    this.#stopListening = onAbort(this.#signal, (reason) => this.#exchange.fail(reason));
    return this.#outcome.promise;
  }

  onHead(status: number, headers: RawHeaders): void {
    this.#listener.onHead(status, headers, this.#exchange);
  }

  onData(chunk: Buffer): void {
    this.#listener.onData(chunk, this.#exchange);
  }

  onEnd(): void {
    this.#finish('done');
    this.#listener.onEnd();
  }

  onError(error: unknown): void {
    const isStale = this.#connection.isReused && !this.#exchange.hasResponse && !this.#signal.aborted;
    this.#finish(isStale ? 'stale' : 'done');
    if (!isStale) this.#listener.onError(error);
  }

  onCancel(): void {
    this.#finish('done');
  }

  #finish(outcome: 'done' | 'stale'): void {
    this.#removeLimit();
    this.#stopListening();
    this.#outcome.resolve(outcome);
  }
}

function tooManyBytes(maxBytes: number): Refusal {
  return new Refusal('more bytes on the wire than the budget', {
    publicFailure: `could not be read: its response has more than ${maxBytes} bytes, headers and framing included`,
  });
}

/** Sends one request to one URL, without redirects. The listener gets every outcome; never rejects. */
export async function sendHop(
  context: EgressContext,
  request: HopRequest,
  listener: HopListener,
  signal: AbortSignal,
): Promise<void> {
  try {
    const mayReuse = IDEMPOTENT.has(request.method);
    const connection = await connect(context, request, mayReuse, signal);
    const outcome = await new HopExchange(connection, listener, signal).run(request, context.byteBudget);
    if (outcome === 'done') return;
    const fresh = await connect(context, request, false, signal);
    await new HopExchange(fresh, listener, signal).run(request, context.byteBudget);
  } catch (error) {
    listener.onError(error);
  }
}
