/** One attempt of a call: a request, and its response with time limits on each part. */
import { ConnectionError, TimeoutError } from './errors.ts';
import type { ClientSettings } from './options.ts';
import { parseError, responseTooLarge } from './response.ts';

/** A request of the API. */
export interface ApiRequest {
  path: string;
  accept: string;
  /** The JSON of a POST; without it the request is a GET. */
  body?: string | undefined;
}

/** The limits of one attempt. */
export interface AttemptLimits {
  signal: AbortSignal | undefined;
  /** The time for the whole attempt; of a streamed one, for its head and for each part of its body. */
  timeoutMs: number;
  isStreamed: boolean;
  /** The most bytes of the body; of a batch, of a row. */
  maxBytes: number;
  /** The time by performance.now() at which the whole call must end. */
  deadline: number;
}

/** The bytes of an error's body that are read: the API's are far smaller. */
const MAX_ERROR_BYTES = 65_536;
/** Longer timers fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * One request in progress, within the time limits of its attempt. Ends when its body is read, or by
 * `close()`.
 */
export class Exchange {
  readonly response: Response;
  /** The most bytes of the body; of a batch, of a row. `readText` holds it, as readers of parts must. */
  readonly maxBytes: number;
  readonly #watch: Watch;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  private constructor(response: Response, watch: Watch, maxBytes: number) {
    this.response = response;
    this.maxBytes = maxBytes;
    this.#watch = watch;
  }

  /** Sends a request. Returns at the head of a response with status 200; throws the error of any other. */
  static async open(client: ClientSettings, request: ApiRequest, limits: AttemptLimits): Promise<Exchange> {
    const watch = new Watch(limits);
    try {
      const response = await watch.limit(() => send(client, request, watch.signal));
      const isError = response.status !== 200;
      const exchange = new Exchange(response, watch, isError ? MAX_ERROR_BYTES : limits.maxBytes);
      if (!isError) return exchange;
      const body = await exchange.readText().catch(() => '');
      limits.signal?.throwIfAborted();
      throw parseError(response, body);
    } catch (error) {
      watch.close();
      throw error;
    }
  }

  /** Reads the next part of the body; undefined at its end. */
  async read(): Promise<Uint8Array | undefined> {
    this.#reader ??= this.response.body?.getReader();
    const reader = this.#reader;
    if (!reader) return this.#end();
    try {
      const { value } = await this.#watch.limit(() => reader.read());
      return value ?? this.#end();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Reads the body as UTF-8. Throws `unexpected_response` if it has more than `maxBytes`. */
  async readText(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    for (let part = await this.read(); part; part = await this.read()) {
      bytes += part.length;
      if (bytes > this.maxBytes) this.refuse();
      text += decoder.decode(part, { stream: true });
    }
    return text + decoder.decode();
  }

  /** Ends the exchange and throws the error of a body with more than `maxBytes`. */
  refuse(): never {
    this.close();
    throw responseTooLarge(this.response, this.maxBytes);
  }

  /** Reads the end of a body that has nothing more, so that its connection is used again. */
  finish(): void {
    void this.read()
      .catch(() => {})
      .then(() => this.close());
  }

  /** Ends the exchange. A body that is not read to its end is canceled. */
  close(): void {
    this.#watch.close();
  }

  #end(): undefined {
    this.close();
  }
}

/** Stops an attempt when the caller aborts or a time limit passes. */
class Watch {
  readonly #controller = new AbortController();
  readonly #limits: AttemptLimits;
  readonly #startedAt = performance.now();
  readonly #onAbort = (): void => this.#controller.abort(this.#limits.signal?.reason);

  constructor(limits: AttemptLimits) {
    this.#limits = limits;
    limits.signal?.throwIfAborted();
    limits.signal?.addEventListener('abort', this.#onAbort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Runs one wait for the network within the time limits. Rejects with an error of the client. */
  async limit<T>(wait: () => Promise<T>): Promise<T> {
    const { timeoutMs, isStreamed, deadline } = this.#limits;
    const now = performance.now();
    const waitMs = isStreamed ? timeoutMs : this.#startedAt + timeoutMs - now;
    const isWhole = deadline - now < waitMs;
    const timer = setTimeout(
      () => this.#controller.abort(createTimeout(timeoutMs, isWhole)),
      Math.min(Math.max(0, isWhole ? deadline - now : waitMs), MAX_TIMER_MS),
    );
    try {
      this.signal.throwIfAborted();
      return await wait();
    } catch (error) {
      // Runtimes differ in the error of an abort: its reason is the one that says why.
      this.signal.throwIfAborted();
      throw new ConnectionError(`The connection to the service failed: ${formatCause(error)}.`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#limits.signal?.removeEventListener('abort', this.#onAbort);
    // Closes the connection of a body that is not read to its end, and does nothing otherwise.
    this.#controller.abort();
  }
}

function createTimeout(timeoutMs: number, isWhole: boolean): TimeoutError {
  return new TimeoutError(
    isWhole
      ? 'The call did not end within totalTimeoutMs.'
      : `The service did not respond within ${timeoutMs} ms (timeoutMs).`,
  );
}

function send(client: ClientSettings, request: ApiRequest, signal: AbortSignal): Promise<Response> {
  const { path, accept, body } = request;
  const headers: Record<string, string> = { ...client.headers, accept };
  if (body !== undefined) headers['content-type'] = 'application/json';
  return client.fetch(client.baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    body: body ?? null,
    signal,
    // A redirect would carry the key to another address.
    redirect: 'manual',
  });
}

/** Formats the innermost reason: Node's fetch itself says no more than "fetch failed". */
function formatCause(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { message, code } = cause as { message?: unknown; code?: unknown };
  return String(message || code || cause)
    .slice(0, 200)
    .replace(/[.\s]+$/, '');
}
