/**
 * Identical requests of one client in flight share one visit: the first starts it, the others wait for the same answer, each with its own
 * deadline and signal. The key names the client: what aborts the visit for one account's share must not reach another account.
 */
import { ApiError } from '#errors';
import type { PageMetadata } from './page-metadata.ts';
import { targetTimeout } from './target-errors.ts';

/** A visit under way. */
export interface Flight {
  answer: Promise<PageMetadata>;
  /** What could be answered by now, or null. */
  readonly soFar: PageMetadata | null;
}

export interface Passenger {
  timeoutMs: number;
  now: () => number;
  signal: AbortSignal | undefined;
}

interface SharedFlight {
  flight: Flight;
  controller: AbortController;
  deadline: number;
  passengers: number;
  hasEnded: boolean;
}

/** Visits under way of all clients; one for the process. */
export class SharedFlights {
  #flights = new Map<string, SharedFlight>();

  /** The answer for `key`, by the flight that is under way or by a new one. */
  async join(
    key: string,
    passenger: Passenger,
    open: (timeoutMs: number, signal: AbortSignal) => Flight,
  ): Promise<PageMetadata> {
    const deadline = passenger.now() + passenger.timeoutMs;
    for (;;) {
      const remainingMs = deadline - passenger.now();
      const shared = this.#flights.get(key) ?? this.#open(key, remainingMs, deadline, open);
      const endsTooEarly = shared.deadline < deadline;
      try {
        return await this.#wait(key, shared, passenger, remainingMs);
      } catch (error) {
        // The flight's own deadline came before this passenger's: there is time for another.
        const isTimeout = error instanceof ApiError && error.code === 'timeout';
        if (!isTimeout || !endsTooEarly || deadline - passenger.now() <= 0) throw error;
        if (this.#flights.get(key) === shared) this.#flights.delete(key);
      }
    }
  }

  #open(
    key: string,
    timeoutMs: number,
    deadline: number,
    open: (timeoutMs: number, signal: AbortSignal) => Flight,
  ): SharedFlight {
    const controller = new AbortController();
    const shared: SharedFlight = {
      flight: open(timeoutMs, controller.signal),
      controller,
      deadline,
      passengers: 0,
      hasEnded: false,
    };
    this.#flights.set(key, shared);
    const end = () => {
      shared.hasEnded = true;
      if (this.#flights.get(key) === shared) this.#flights.delete(key);
    };
    shared.flight.answer.then(end, end);
    return shared;
  }

  #wait(key: string, shared: SharedFlight, passenger: Passenger, remainingMs: number): Promise<PageMetadata> {
    const { promise, resolve, reject } = Promise.withResolvers<PageMetadata>();
    const { signal } = passenger;
    const leave = () => reject(signal?.reason);
    shared.passengers++;
    shared.flight.answer.then(resolve, reject);
    const timer = setTimeout(() => {
      try {
        const soFar = shared.flight.soFar;
        if (soFar === null) reject(targetTimeout(passenger.timeoutMs));
        else resolve(soFar);
      } catch (error) {
        // Thrown from a timer it would end the process.
        reject(error);
      }
    }, remainingMs);
    if (signal?.aborted === true) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      if (--shared.passengers > 0 || shared.hasEnded) return;
      if (this.#flights.get(key) === shared) this.#flights.delete(key);
      shared.controller.abort();
    });
  }
}
