import pg from 'pg';
import { destroyClient } from './close-client.ts';
import { judgeError } from './postgres-errors.ts';
import type { ServerHealth } from './server-health.ts';

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

  /** Closes all connections at once, which fails the queries in flight, and opens new ones as needed. */
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
