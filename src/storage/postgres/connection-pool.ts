import pg from 'pg';
import { judgeError, unavailable } from './postgres-errors.ts';

/** A server that does not respond does not acknowledge the end of a connection either. */
const GRACE_MS = 500;

/** Closes a connection within half a second, even if the server does not respond. */
export async function closeClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroyClient(client), GRACE_MS);
  await client.end().catch(() => {});
  clearTimeout(timer);
}

/** Closes the socket of a connection immediately. */
function destroyClient(client: pg.Client): void {
  // Not in the types of pg, and there is no other way to its socket.
  const { connection } = client as unknown as { connection?: { stream: { destroy(): void } } };
  connection?.stream.destroy();
}

const IDLE_MS = 60_000;
const CLOSE_MS = 1_000;

/**
 * A pool of connections that is replaced when the server is lost: some of the old connections may never
 * respond again, and each would cost a timeout.
 */
export class ConnectionPool {
  readonly #options: pg.PoolConfig;
  readonly #health: ServerHealth;
  #pool: pg.Pool;
  #clients = new Set<pg.Client>();

  constructor(options: pg.ClientConfig, size: number, health: ServerHealth) {
    this.#options = { ...options, max: size, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true };
    this.#health = health;
    this.#pool = this.#open();
  }

  /** Returns a connection. Throws ApiError `unavailable` if the server is lost or every place is in use. */
  async connect(): Promise<pg.PoolClient> {
    this.#health.assertReachable();
    try {
      return await this.#pool.connect();
    } catch (cause) {
      const { error, isServerLost } = judgeError(cause);
      if (isServerLost) this.#health.suspect();
      throw error;
    }
  }

  /** Reports an error of a query. Returns the error to throw, and whether the connection is broken. */
  judge(cause: unknown): { error: unknown; isConnectionBroken: boolean } {
    const failure = judgeError(cause);
    if (failure.isServerLost) this.#health.suspect();
    return failure;
  }

  /** Closes all connections immediately, which fails the queries in flight, and opens new ones as needed. */
  replace(): void {
    const [old, clients] = [this.#pool, this.#clients];
    this.#clients = new Set();
    this.#pool = this.#open();
    old.end().catch(() => {});
    for (const client of clients) destroyClient(client);
  }

  /** Closes all connections, after a second those too that the server does not let go. */
  async close(): Promise<void> {
    const clients = this.#clients;
    const timer = setTimeout(() => {
      for (const client of clients) destroyClient(client);
    }, CLOSE_MS);
    await this.#pool.end().catch(() => {});
    clearTimeout(timer);
  }

  #open(): pg.Pool {
    const pool = new pg.Pool(this.#options);
    const clients = this.#clients;
    // Without listeners, the loss of a connection between two queries would end the process.
    pool.on('error', () => this.#health.suspect());
    pool.on('connect', (client) => {
      clients.add(client);
      client.on('error', () => {});
    });
    pool.on('remove', (client) => void clients.delete(client));
    return pool;
  }
}

const PROBE_INTERVAL_MS = 500;

/**
 * Knows if the server can be reached. An error of one connection proves nothing: it starts a probe over a new
 * connection. If the probe fails too, every query fails immediately until a later probe succeeds, so that no
 * request waits for a server that is known to be silent.
 */
export class ServerHealth {
  readonly #options: pg.ClientConfig;
  readonly #onChange: (cause: unknown) => void;
  #cause: unknown = null;
  #isProbing = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  /** `onChange` receives the cause when the server is out of reach, and null when it is back. */
  constructor(options: pg.ClientConfig, onChange: (cause: unknown) => void) {
    this.#options = options;
    this.#onChange = onChange;
  }

  get isLost(): boolean {
    return this.#cause !== null;
  }

  /** Throws ApiError `unavailable` while the server is out of reach. */
  assertReachable(): void {
    if (this.#cause !== null) throw unavailable(this.#cause);
  }

  /** Probes the server: an error suggests that it is out of reach. */
  suspect(): void {
    if (this.#cause === null && !this.#isClosed) void this.#probe();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #probe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    const client = new pg.Client(this.#options);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      this.#setCause(null);
    } catch (cause) {
      if (judgeError(cause).isServerLost) this.#setCause(cause);
    }
    void closeClient(client);
    this.#isProbing = false;
    if (this.#cause !== null && !this.#isClosed) {
      this.#timer = setTimeout(() => void this.#probe(), PROBE_INTERVAL_MS);
      this.#timer.unref();
    }
  }

  #setCause(cause: unknown): void {
    const isChange = (this.#cause === null) !== (cause === null);
    this.#cause = cause;
    if (isChange && !this.#isClosed) this.#onChange(cause);
  }
}
