import type { Socket } from 'node:net';
import { egressOverloaded, type ConnectionLimits } from './connection-limits.ts';
import { PooledConnection, type Connection } from './connection.ts';
import type { Target } from './target.ts';

export interface AcquireOptions {
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
  /** Waits for a free place at the host, then hands out an idle connection or opens one. Rejects with what `open` or the signal rejects with, and with ApiError `overloaded` where there is no room. */
  acquire(target: Target, options: AcquireOptions): Promise<Connection>;
  /** Closes every connection, and each that is still being dialled as soon as it is there. */
  close(): void;
}

/** Idle connections over all hosts; past it the longest idle one is closed. */
const MAX_IDLE = 256;
/** Requests that may wait for one host: what comes beyond could not be served in any time-out. */
const MAX_WAITING_PER_HOST = 1000;
/** A connection in steady use is given up at this age, so that a name's new addresses are seen. */
const MAX_AGE_MS = 30_000;

interface Waiter {
  key: string;
  mayReuse: boolean;
  /** Null hands over a place at the host, to be filled by dialling. */
  take(connection: PooledConnection | null): void;
}

/** The places at one host: `open` counts connections that are being dialled, busy or idle. */
interface HostPlaces {
  open: number;
  waiting: Waiter[];
}

class Pool implements ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #hosts = new Map<string, HostPlaces>();
  readonly #all = new Set<PooledConnection>();
  /** Oldest first. */
  readonly #idle = new Set<PooledConnection>();
  #isClosed = false;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
  }

  async acquire(target: Target, options: AcquireOptions): Promise<Connection> {
    options.signal.throwIfAborted();
    const key = `${options.partition} ${target.origin}`;
    const reused = options.mayReuse ? this.#takeIdle((connection) => connection.key === key) : null;
    if (reused !== null && options.permits(reused.socket)) return reused;
    reused?.destroy();
    const places = this.#hosts.get(target.host) ?? { open: 0, waiting: [] };
    this.#hosts.set(target.host, places);
    if (places.open < this.#options.connectionsPerHost) {
      places.open += 1;
      return this.#fill(target, places, key, options);
    }
    if (places.waiting.length >= MAX_WAITING_PER_HOST) throw egressOverloaded();
    // An idle connection that cannot be used holds a place: its closing hands the place on.
    this.#takeIdle((connection) => connection.host === target.host)?.destroy();
    return (await wait(places, key, options)) ?? this.#fill(target, places, key, options);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#all) connection.destroy();
  }

  #takeIdle(matches: (connection: PooledConnection) => boolean): PooledConnection | null {
    let found: PooledConnection | null = null;
    for (const connection of this.#idle) {
      if (matches(connection) && !connection.socket.destroyed) found = connection;
    }
    if (found !== null) this.#idle.delete(found);
    return found;
  }

  /** Dials for a place at the host that is already counted. */
  async #fill(target: Target, places: HostPlaces, key: string, { partition, signal, open }: AcquireOptions) {
    let free = () => {};
    let socket: Socket;
    try {
      free = await this.#options.limits.take(partition, signal, () => this.#dropIdle(partition));
      socket = await open();
    } catch (error) {
      free();
      this.#leave(target.host, places);
      throw error;
    }
    if (this.#isClosed) socket.destroy();
    const { keepAliveMs, now } = this.#options;
    const onRelease = (released: PooledConnection) => this.#takeBack(released, places);
    const connection = new PooledConnection({ target, key, socket, keepAliveMs, openedAt: now(), onRelease });
    this.#all.add(connection);
    socket.once('close', () => {
      this.#all.delete(connection);
      this.#idle.delete(connection);
      free();
      this.#leave(target.host, places);
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

  #leave(host: string, places: HostPlaces): void {
    const next = places.waiting.shift();
    if (next !== undefined) {
      next.take(null);
      return;
    }
    places.open -= 1;
    if (places.open === 0) this.#hosts.delete(host);
  }

  #takeBack(connection: PooledConnection, places: HostPlaces): void {
    const { keepAliveMs, limits, now } = this.#options;
    if (keepAliveMs === 0 || connection.socket.destroyed) return;
    const next = places.waiting[0];
    const isUnwanted = next === undefined && limits.isContended;
    if (isUnwanted || now() - connection.openedAt > MAX_AGE_MS) {
      connection.destroy();
    } else if (next === undefined) {
      this.#idle.add(connection);
      const [oldest] = this.#idle;
      if (this.#idle.size > MAX_IDLE) oldest?.destroy();
    } else if (next.mayReuse && next.key === connection.key) {
      places.waiting.shift();
      next.take(connection);
    } else {
      connection.destroy();
    }
  }
}

/** Waits for a place at the host, or for a connection that someone gives back. */
function wait(
  places: HostPlaces,
  key: string,
  { mayReuse, signal }: AcquireOptions,
): Promise<PooledConnection | null> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      places.waiting.splice(places.waiting.indexOf(waiter), 1);
      reject(signal.reason as Error);
    };
    const take = (connection: PooledConnection | null) => {
      signal.removeEventListener('abort', onAbort);
      resolve(connection);
    };
    const waiter: Waiter = { key, mayReuse, take };
    places.waiting.push(waiter);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Opens a pool without connections. */
export function openConnectionPool(options: ConnectionPoolOptions): ConnectionPool {
  return new Pool(options);
}
