import {
  type Hold,
  HostPlaces,
  MAX_WAITING_PER_CLIENT,
  type PlaceFault,
  type PlaceRequest,
} from '#concurrency';
import { ApiError } from '#errors';
import type { ConnectionLimits } from './connection-limits.ts';
import { type Connection, PooledConnection, ReadPacer } from './connection.ts';
import type { DialedSocket } from './dial.ts';
import type { Target } from '../guard/vet-target.ts';

export interface AcquireOptions {
  /** The key of the caller: places at a host are shared fairly among clients. */
  client: string;
  /** Stops the fetch, because another client needs its place. */
  abort: (error: Error) => void;
  /** A connection is reused only within its partition. */
  partition: string;
  /** False for a request that must not be sent twice: it gets a new connection. */
  mayReuse: boolean;
  signal: AbortSignal;
  /** Reports whether the policy still permits the peer of an idle connection. */
  permits: (peer: string) => boolean;
  /** Resolves the name and dials. Called only if no idle connection can be used. */
  open: () => Promise<DialedSocket>;
}

export interface ConnectionPoolOptions {
  /** Connections to one host name at a time, over all its ports. */
  connectionsPerHost: number;
  /** The limits over all hosts. */
  limits: ConnectionLimits;
  /** Lifetime of an idle connection; 0 closes each after its exchange. */
  keepAliveMs: number;
  /** Milliseconds, for the age of connections. */
  now: () => number;
}

export interface ConnectionPool {
  /**
   * Waits for a place at the host and returns an idle connection or a new one. Rejects with the error of
   * `open`, the signal's reason, ApiError `overloaded` if there is no room, and `rate_limit_exceeded` if too
   * many requests of the client wait for the host.
   */
  acquire(target: Target, options: AcquireOptions): Promise<Connection>;
  /** Closes every connection; one that is being dialed is closed when it is connected. */
  close(): void;
}

/** Idle connections over all hosts; beyond it the oldest one is closed. */
const MAX_IDLE = 256;
/** A connection is not reused beyond this age, so that new addresses of its name take effect. */
const MAX_AGE_MS = 30_000;

const PLACE_FAULTS: Readonly<Record<PlaceFault, string>> = {
  waiting: `${MAX_WAITING_PER_CLIENT} of its requests already wait for this host`,
  reclaimed: 'its longest request was stopped because another account waits for this host',
};

/** Creates the error of a request whose client is over its share of the places at a host. */
function createError(fault: PlaceFault): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `This account is over the share of connections to one host: ${PLACE_FAULTS[fault]}. Send fewer at a time, and try again after Retry-After.`,
    { retryAfterSeconds: 2 },
  );
}

type Places = HostPlaces<PooledConnection>;

class Pool implements ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #hosts = new Map<string, Places>();
  readonly #all = new Set<PooledConnection>();
  /** Oldest first. */
  readonly #idle = new Set<PooledConnection>();
  readonly #pacer = new ReadPacer();
  #isClosed = false;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
  }

  async acquire(target: Target, options: AcquireOptions): Promise<Connection> {
    const { client, signal, mayReuse, abort } = options;
    signal.throwIfAborted();
    const key = `${options.partition} ${target.origin}`;
    const request: PlaceRequest<PooledConnection> = {
      client,
      signal,
      // The policy of this fetch may not permit the peer of a connection that another fetch releases.
      accepts: (connection) => mayReuse && connection.key === key && options.permits(connection.peer),
      onReclaim: abort,
    };
    const places = this.#openPlaces(target.host);
    if (places.canHold(client)) {
      const reused = mayReuse ? this.#takeIdle((connection) => connection.key === key) : null;
      // Bytes that arrived without a request would be parsed as the response.
      const isClean = reused?.socket.readableLength === 0;
      if (reused !== null && isClean && options.permits(reused.peer)) {
        places.reuse(reused, request);
        return reused;
      }
      reused?.destroy();
      const hold = places.tryAcquire(request);
      if (hold !== null) return this.#dial(target, places, hold, key, options);
      // An idle connection that cannot be used occupies a place; closing it frees the place.
      this.#takeIdle((connection) => connection.host === target.host)?.destroy();
    }
    const { hold, connection } = await places.acquire(request);
    return connection ?? this.#dial(target, places, hold, key, options);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#all) connection.destroy();
  }

  #openPlaces(host: string): Places {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const places: Places = new HostPlaces({ maxPlaces: this.#options.connectionsPerHost, createError });
    this.#hosts.set(host, places);
    return places;
  }

  #takeIdle(matches: (connection: PooledConnection) => boolean): PooledConnection | null {
    let found: PooledConnection | null = null;
    for (const connection of this.#idle) {
      if (matches(connection) && !connection.socket.destroyed) found = connection;
    }
    if (found !== null) this.#idle.delete(found);
    return found;
  }

  /** Opens the connection for a place at the host that is already held. */
  async #dial(
    target: Target,
    places: Places,
    hold: Hold,
    key: string,
    { partition, signal, open }: AcquireOptions,
  ): Promise<PooledConnection> {
    let release = () => {};
    let dialed: DialedSocket;
    try {
      release = await this.#options.limits.acquire(partition, signal, () => this.#closeIdle(partition));
      dialed = await open();
    } catch (error) {
      release();
      this.#freePlace(target.host, places, hold);
      throw error;
    }
    const { socket, peer } = dialed;
    if (this.#isClosed) socket.destroy();
    const { keepAliveMs, now } = this.#options;
    const onRelease = (released: PooledConnection) => this.#keepOrClose(released, places);
    const openedAt = now();
    const connection = new PooledConnection({
      target,
      key,
      hold,
      socket,
      peer,
      pacer: this.#pacer,
      keepAliveMs,
      openedAt,
      onRelease,
    });
    this.#all.add(connection);
    socket.once('close', () => {
      this.#all.delete(connection);
      this.#idle.delete(connection);
      release();
      this.#freePlace(target.host, places, connection.hold);
    });
    return connection;
  }

  /**
   * Closes an idle connection to make room; one of the same partition first, because pages have fewer places.
   */
  #closeIdle(partition: string): void {
    const idle = [...this.#idle];
    const closed = idle.find(({ key }) => key.startsWith(`${partition} `)) ?? idle[0];
    if (closed === undefined) return;
    this.#idle.delete(closed);
    closed.destroy();
  }

  #freePlace(host: string, places: Places, hold: Hold | null): void {
    places.free(hold);
    if (places.open === 0) this.#hosts.delete(host);
  }

  #keepOrClose(connection: PooledConnection, places: Places): void {
    const { keepAliveMs, limits, now } = this.#options;
    if (keepAliveMs === 0 || connection.socket.destroyed) return;
    if (now() - connection.openedAt > MAX_AGE_MS || connection.socket.readableLength > 0) {
      connection.destroy();
      return;
    }
    const outcome = places.release(connection);
    if (outcome === 'mismatched' || (outcome === 'idle' && limits.isContended)) {
      connection.destroy();
    } else if (outcome === 'idle') {
      this.#idle.add(connection);
      const [oldest] = this.#idle;
      if (this.#idle.size > MAX_IDLE) oldest?.destroy();
    }
  }
}

/** Opens a pool, with no connection open. */
export function openConnectionPool(options: ConnectionPoolOptions): ConnectionPool {
  return new Pool(options);
}
