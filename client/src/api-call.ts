import type { ApiResponse } from './response.ts';

/**
 * A call in progress: a promise of its data. `withResponse()` also returns the rate limit, the id of the
 * request and the headers.
 */
export class ApiCall<T> extends Promise<T> {
  readonly #response: Promise<ApiResponse<T>>;

  constructor(response: Promise<ApiResponse<T>>) {
    // Settled from the beginning: `then` follows the response, so that no rejection is left unhandled.
    super((resolve) => resolve(undefined as T));
    this.#response = response;
  }

  // `then`, `catch` and `finally` return plain promises.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Resolves with the data and the facts of the response. */
  withResponse(): Promise<ApiResponse<T>> {
    return this.#response;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise.
  override then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#response.then(({ data }) => data).then(onData, onError);
  }
}
