import { findNextClient, findReclaimable, type PlaceClient, type ReclaimableHold } from './fair-order.ts';
import { placeReclaimed, tooManyWaiting } from './host-share-errors.ts';
import { onAbort } from '../concurrency/abort-listeners.ts';

export interface HostPlacesOptions {
  /** Connections at the host at a time: being dialed, in use or idle. */
  maxPlaces: number;
  /** Requests of one client that may wait; default 100. */
  maxWaitingPerClient?: number;
  /** Calls `run` once after the time that a client without a place waits for those of others; returns the function that cancels it. Default 1 s. */
  startTimer?: (run: () => void) => () => void;
}

/** A connection at the host. */
export interface Placed {
  /** Who uses it; null while it is idle. */
  hold: Hold | null;
}

export interface PlaceRequest<C extends Placed> {
  client: string;
  signal: AbortSignal;
  /** Whether a connection that another request gives back fits. */
  accepts: (connection: C) => boolean;
  onReclaim: ReclaimableHold['onReclaim'];
}

/** One request's use of a place, until its connection is given back or closed. */
export interface Hold extends ReclaimableHold {
  readonly client: string;
}

/** A hold, with the connection that another request gave back; null: one must be dialed. */
export interface Grant<C extends Placed> {
  hold: Hold;
  connection: C | null;
}

interface Waiter<C extends Placed> {
  request: PlaceRequest<C>;
  resolve: (grant: Grant<C>) => void;
}

interface Client<C extends Placed> extends PlaceClient<Waiter<C>> {
  cancelTimer: (() => void) | null;
  isStarved: boolean;
}

const MAX_WAITING_PER_CLIENT = 100;
const STARVED_AFTER_MS = 1000;

const startStarvationTimer = (run: () => void) => {
  const timer = setTimeout(run, STARVED_AFTER_MS);
  return () => clearTimeout(timer);
};

/**
 * The places at one host, shared fairly among clients. A client holds all but one of them at most (where there is more than one). The next
 * place goes to the client that holds the fewest, then to the one served longest ago. A client that holds none and has waited for a second
 * gets the place of the oldest request of the client that is furthest over its equal part, once that one's connection has closed.
 */
export class HostPlaces<C extends Placed> {
  readonly #options: Required<HostPlacesOptions>;
  readonly #maxHolds: number;
  readonly #clients = new Map<string, Client<C>>();
  #open = 0;
  #turn = 0;
  /** Holds that are reclaimed and not closed yet. */
  #reclaimed = 0;

  constructor({
    maxPlaces,
    maxWaitingPerClient = MAX_WAITING_PER_CLIENT,
    startTimer = startStarvationTimer,
  }: HostPlacesOptions) {
    this.#options = { maxPlaces, maxWaitingPerClient, startTimer };
    this.#maxHolds = Math.max(maxPlaces - 1, 1);
  }

  /** Connections being dialed, in use or idle. No request waits at a host that has none. */
  get open(): number {
    return this.#open;
  }

  /** Whether the client may hold one more place. */
  canHold(client: string): boolean {
    return (this.#clients.get(client)?.holds.size ?? 0) < this.#maxHolds;
  }

  /** Holds a free place at once; null if there is none for this client. */
  take(request: PlaceRequest<C>): Hold | null {
    if (this.#open >= this.#options.maxPlaces || !this.canHold(request.client)) return null;
    this.#open += 1;
    return this.#hold(request, this.#findClient(request.client));
  }

  /** Holds the place of an idle connection; the caller has seen that the client may. */
  reuse(connection: C, request: PlaceRequest<C>): void {
    connection.hold = this.#hold(request, this.#findClient(request.client));
  }

  /**
   * Waits for a place, or for a connection that is given back. Throws ApiError `rate_limit_exceeded` if too many requests of the client
   * wait; throws and rejects with the signal's reason.
   */
  acquire(request: PlaceRequest<C>): Promise<Grant<C>> {
    request.signal.throwIfAborted();
    const client = this.#findClient(request.client);
    const { maxWaitingPerClient } = this.#options;
    if (client.waiting.size >= maxWaitingPerClient) throw tooManyWaiting(maxWaitingPerClient);
    return new Promise((resolve, reject) => {
      const waiter: Waiter<C> = {
        request,
        resolve(grant) {
          stopListening();
          resolve(grant);
        },
      };
      const stopListening = onAbort(request.signal, () => {
        stopListening();
        client.waiting.delete(waiter);
        this.#update(request.client, client);
        reject(request.signal.reason as Error);
      });
      client.waiting.add(waiter);
      this.#update(request.client, client);
      this.#serve();
    });
  }

  /** Frees the place of a connection that has closed or was not opened; `hold` is null if it was idle. */
  close(hold: Hold | null): void {
    this.#open -= 1;
    if (hold !== null) this.#end(hold);
    this.#serve();
  }

  /**
   * Ends the use of a connection that can be used again. `passed`: the next request has it. `idle`: it stays open. `unwanted`: the next
   * request needs another one, so this one must be closed.
   */
  giveBack(connection: C): 'passed' | 'idle' | 'unwanted' {
    if (connection.hold !== null) this.#end(connection.hold);
    connection.hold = null;
    const next = findNextClient(this.#clients.values(), this.#maxHolds);
    const [waiter] = next?.waiting ?? [];
    if (next === null || waiter === undefined) return 'idle';
    if (!waiter.request.accepts(connection)) return 'unwanted';
    this.#grant(next, waiter, connection);
    this.#reclaim();
    return 'passed';
  }

  #findClient(name: string): Client<C> {
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    const client: Client<C> = {
      holds: new Set(),
      waiting: new Set(),
      servedAt: this.#turn,
      cancelTimer: null,
      isStarved: false,
    };
    this.#clients.set(name, client);
    return client;
  }

  #hold({ client: name, onReclaim }: PlaceRequest<C>, client: Client<C>): Hold {
    const hold: Hold = { client: name, onReclaim, isReclaimed: false };
    client.holds.add(hold);
    client.servedAt = this.#turn += 1;
    this.#update(name, client);
    return hold;
  }

  #grant(client: Client<C>, waiter: Waiter<C>, connection: C | null): void {
    client.waiting.delete(waiter);
    const hold = this.#hold(waiter.request, client);
    if (connection !== null) connection.hold = hold;
    waiter.resolve({ hold, connection });
  }

  #end(hold: Hold): void {
    const client = this.#clients.get(hold.client);
    if (client?.holds.delete(hold) !== true) return;
    if (hold.isReclaimed) this.#reclaimed -= 1;
    client.servedAt = this.#turn += 1;
    this.#update(hold.client, client);
  }

  /** Starts and ends the starvation of a client, and forgets one that neither holds nor waits. */
  #update(name: string, client: Client<C>): void {
    if (client.holds.size === 0 && client.waiting.size > 0) {
      client.cancelTimer ??= this.#options.startTimer(() => {
        client.isStarved = true;
        this.#reclaim();
      });
      return;
    }
    client.cancelTimer?.();
    client.cancelTimer = null;
    client.isStarved = false;
    if (client.holds.size === 0) this.#clients.delete(name);
  }

  #serve(): void {
    while (this.#open < this.#options.maxPlaces) {
      const next = findNextClient(this.#clients.values(), this.#maxHolds);
      const [waiter] = next?.waiting ?? [];
      if (next === null || waiter === undefined) break;
      this.#open += 1;
      this.#grant(next, waiter, null);
    }
    this.#reclaim();
  }

  /** Takes one place for each starved client from those that hold more than their equal part, which is at least one place. */
  #reclaim(): void {
    let starved = 0;
    for (const { isStarved } of this.#clients.values()) if (isStarved) starved += 1;
    while (this.#reclaimed < starved) {
      const equalPart = Math.max(1, this.#options.maxPlaces / this.#clients.size);
      const hold = findReclaimable(this.#clients.values(), equalPart);
      if (hold === null) return;
      hold.isReclaimed = true;
      this.#reclaimed += 1;
      hold.onReclaim(placeReclaimed());
    }
  }
}
