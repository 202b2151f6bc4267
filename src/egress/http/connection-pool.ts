import type { Socket } from 'node:net';
import type { ConnectionLimits } from './connection-limits.ts';
import { PooledConnection, type Connection } from './connection.ts';
import { HostPlaces, type Hold, type PlaceRequest } from './host-places.ts';
import { ReadPacer } from './read-pacer.ts';
import type { Target } from '../guard/target.ts';

export interface AcquireOptions {
  /** Who asks: the places at a host are shared fairly among clients. */
  client: string;
  /** Ends the fetch, and with it the use of the connection: its place is needed by another client. */
  abort: (error: Error) => void;
  /** Connections of one partition are never reused by another. */
  partition: string;
  /** False: a fresh connection, for a request that must not be sent twice. */
  mayReuse: boolean;
  signal: AbortSignal;
  /** Whether the rule still permits the peer of an idle connection. */
  permits: (socket: Socket) => boolean;
  /** Resolves and dials; called only when no idle connection fits. */
  open: () => Promise<Socket>;
}

export interface ConnectionPoolOptions {
  /** Connections to one host name at a time, over all its ports. */
  connectionsPerHost: number;
  /** Over all hosts. */
  limits: ConnectionLimits;
  /** How long an idle connection is kept at most; 0 closes each after its exchange. */
  keepAliveMs: number;
  /** Milliseconds; for the age of connections. */
  now: () => number;
}

export interface ConnectionPool {
  /**
   * Waits for a free place at the host, then hands out an idle connection or opens one. Rejects with what `open` or the signal rejects with, with ApiError `overloaded` if there is no room, and with
   * `rate_limit_exceeded` if too many requests of the client wait for the host.
   */
  acquire(target: Target, options: AcquireOptions): Promise<Connection>;
  /** Closes every connection, and each that is still being dialled as soon as it is there. */
  close(): void;
}

/** Idle connections over all hosts; past it the longest idle one is closed. */
const MAX_IDLE = 256;
/** A connection in steady use is closed at this age, so that a name's new addresses are seen. */
const MAX_AGE_MS = 30_000;

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
      accepts: (connection) => mayReuse && connection.key === key,
      onReclaim: abort,
    };
    const places = this.#findPlaces(target.host);
    if (places.canHold(client)) {
      const reused = mayReuse ? this.#takeIdle((connection) => connection.key === key) : null;
      // Unsolicited bytes would be taken for the response.
      const isClean = reused?.socket.readableLength === 0;
      if (reused !== null && isClean && options.permits(reused.socket)) {
        places.reuse(reused, request);
        return reused;
      }
      reused?.destroy();
      const hold = places.take(request);
      if (hold !== null) return this.#fill(target, places, hold, key, options);
      // An idle connection that cannot be used holds a place: its closing hands the place on.
      this.#takeIdle((connection) => connection.host === target.host)?.destroy();
    }
    const { hold, connection } = await places.acquire(request);
    return connection ?? this.#fill(target, places, hold, key, options);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#all) connection.destroy();
  }

  #findPlaces(host: string): Places {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const places: Places = new HostPlaces({ maxPlaces: this.#options.connectionsPerHost });
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

  /** Dials for a place at the host that is already held. */
  async #fill(
    target: Target,
    places: Places,
    hold: Hold,
    key: string,
    { partition, signal, open }: AcquireOptions,
  ): Promise<PooledConnection> {
    let free = () => {};
    let socket: Socket;
    try {
      free = await this.#options.limits.take(partition, signal, () => this.#dropIdle(partition));
      socket = await open();
    } catch (error) {
      free();
      this.#leave(target.host, places, hold);
      throw error;
    }
    if (this.#isClosed) socket.destroy();
    const { keepAliveMs, now } = this.#options;
    const onRelease = (released: PooledConnection) => this.#takeBack(released, places);
    const openedAt = now();
    const connection = new PooledConnection({
      target,
      key,
      hold,
      socket,
      pacer: this.#pacer,
      keepAliveMs,
      openedAt,
      onRelease,
    });
    this.#all.add(connection);
    socket.once('close', () => {
      this.#all.delete(connection);
      this.#idle.delete(connection);
      free();
      this.#leave(target.host, places, connection.hold);
    });
    return connection;
  }

  /** Closes an idle connection for one that is wanted more; of the same partition where there is one, as its places are the scarcer. */
  #dropIdle(partition: string): void {
    const idle = [...this.#idle];
    const dropped = idle.find(({ key }) => key.startsWith(`${partition} `)) ?? idle[0];
    if (dropped === undefined) return;
    this.#idle.delete(dropped);
    dropped.destroy();
  }

  #leave(host: string, places: Places, hold: Hold | null): void {
    places.close(hold);
    if (places.open === 0) this.#hosts.delete(host);
  }

  #takeBack(connection: PooledConnection, places: Places): void {
    const { keepAliveMs, limits, now } = this.#options;
    if (keepAliveMs === 0 || connection.socket.destroyed) return;
    if (now() - connection.openedAt > MAX_AGE_MS || connection.socket.readableLength > 0) {
      connection.destroy();
      return;
    }
    const outcome = places.giveBack(connection);
    if (outcome === 'unwanted' || (outcome === 'idle' && limits.isContended)) {
      connection.destroy();
    } else if (outcome === 'idle') {
      this.#idle.add(connection);
      const [oldest] = this.#idle;
      if (this.#idle.size > MAX_IDLE) oldest?.destroy();
    }
  }
}

/** Opens a pool without connections. */
export function openConnectionPool(options: ConnectionPoolOptions): ConnectionPool {
  return new Pool(options);
}
