import pg from 'pg';
import { closeClient } from './close-client.ts';
import { judgeError, unavailable } from './postgres-errors.ts';

const PROBE_INTERVAL_MS = 500;

/**
 * Knows if the server can be reached. An error of one connection proves nothing: it starts a probe over a new
 * connection. If the probe fails too, every query fails at once until a later probe succeeds, so that no
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
