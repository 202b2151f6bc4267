import type { AddressPolicy } from '../guard/address-policy.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { dial } from './dial.ts';
import { Exchange, type ExchangeListener } from './exchange.ts';
import type { RawHeaders } from './headers.ts';
import { Refusal } from '../guard/refusal.ts';
import { readTarget } from '../guard/target.ts';
import { vetTarget, type LookupAddresses } from '../guard/vet-target.ts';
import type { WireWatch } from './byte-budget.ts';

/** What every fetch goes through: the rule, the resolver, the connections. */
export interface Door {
  policy: AddressPolicy;
  lookup: LookupAddresses;
  pool: ConnectionPool;
  wireWatch: WireWatch;
}

export interface HopRequest {
  /** Who asks: connections to a host are shared fairly among clients. */
  client: string;
  /** Aborts the signal of the whole fetch with this reason. */
  abort: (error: Error) => void;
  url: URL;
  method: string;
  /** Names and values by turns. */
  headers: string[];
  body?: Uint8Array;
  /** Connections are reused within a partition only. */
  partition: string;
  /** Bytes that may be read from the socket, heads and framing included. */
  maxWireBytes: number;
}

/** Takes the response of one hop; `exchange` steers it. Of `onEnd` and `onError` exactly one is called, unless the exchange is stopped. */
export interface HopListener {
  onHead(status: number, headers: RawHeaders, exchange: Exchange): void;
  onData(chunk: Buffer, exchange: Exchange): void;
  onEnd(): void;
  onError(error: unknown): void;
}

/** Methods that may be sent again when an idle connection turns out to be closed (RFC 9110 §9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS']);

async function connect(
  door: Door,
  request: HopRequest,
  mayReuse: boolean,
  signal: AbortSignal,
): Promise<Connection> {
  const target = readTarget(request.url);
  return door.pool.acquire(target, {
    client: request.client,
    abort: request.abort,
    partition: request.partition,
    mayReuse,
    signal,
    permits: ({ remoteAddress }) => door.policy.permits(remoteAddress ?? '', target.port),
    open: async () =>
      dial(target, await vetTarget(target, door.policy, door.lookup, signal), door.policy, signal),
  });
}

function exchangeOver(
  connection: Connection,
  door: Door,
  request: HopRequest,
  listener: HopListener,
  signal: AbortSignal,
): Promise<'done' | 'stale'> {
  return new Promise((resolve) => {
    const onAbort = () => exchange.fail(signal.reason);
    const finish = (outcome: 'done' | 'stale') => {
      unwatch();
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const bridge: ExchangeListener = {
      onHead: (status, headers) => listener.onHead(status, headers, exchange),
      onData: (chunk) => listener.onData(chunk, exchange),
      onEnd: () => {
        finish('done');
        listener.onEnd();
      },
      onError: (error) => {
        if (connection.isReused && !exchange.hasAnswer && !signal.aborted) {
          finish('stale');
          return;
        }
        finish('done');
        listener.onError(error);
      },
      onStop: () => finish('done'),
    };
    const exchange = new Exchange(connection, bridge);
    const unwatch = door.wireWatch.watch(connection.socket, request.maxWireBytes, () =>
      exchange.fail(new Refusal('more bytes on the wire than the budget')),
    );
    signal.addEventListener('abort', onAbort, { once: true });
    const { url, method, headers, body } = request;
    exchange.start({
      method,
      path: url.pathname + url.search,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (signal.aborted) onAbort();
  });
}

/** One request to one URL and its response, no redirects. Every outcome goes to the listener; nothing is thrown. */
export async function sendHop(
  door: Door,
  request: HopRequest,
  listener: HopListener,
  signal: AbortSignal,
): Promise<void> {
  try {
    const mayReuse = IDEMPOTENT.has(request.method);
    const connection = await connect(door, request, mayReuse, signal);
    const outcome = await exchangeOver(connection, door, request, listener, signal);
    if (outcome === 'done') return;
    const fresh = await connect(door, request, false, signal);
    await exchangeOver(fresh, door, request, listener, signal);
  } catch (error) {
    listener.onError(error);
  }
}
