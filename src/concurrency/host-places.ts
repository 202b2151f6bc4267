import { onAbort } from './deadline.ts';

/** A held place that can be reclaimed. */
interface ReclaimableHold {
  /**
   * Called at most once, while the place is held. The work must stop with this error and close its
   * connection.
   */
  readonly onReclaim: (error: Error) => void;
  isReclaimed: boolean;
}

/** A client that holds places or waits for one. Its sets are in order of arrival. */
interface PlaceClient<Waiter> {
  readonly holds: Set<ReclaimableHold>;
  readonly waiting: Set<Waiter>;
  /**
   * When its last hold began or ended; for a new client its arrival, so that a client gains nothing by
   * reconnecting.
   */
  servedAt: number;
}

/**
 * Returns the client that gets the next place: among clients that wait and hold fewer than `maxHolds`, the
 * one that holds the fewest, then the least recently served one.
 */
function findNextClient<W, C extends PlaceClient<W>>(clients: Iterable<C>, maxHolds: number): C | null {
  let next: C | null = null;
  for (const client of clients) {
    if (client.waiting.size === 0 || client.holds.size >= maxHolds) continue;
    if (next === null || isBefore(client, next)) next = client;
  }
  return next;
}

function isBefore<W>(a: PlaceClient<W>, b: PlaceClient<W>): boolean {
  if (a.holds.size !== b.holds.size) return a.holds.size < b.holds.size;
  return a.servedAt < b.servedAt;
}

/**
 * Returns the oldest hold of the client that holds the most, if that is more than `equalPart`. Holds that are
 * being reclaimed do not count.
 */
function findReclaimable<W>(clients: Iterable<PlaceClient<W>>, equalPart: number): ReclaimableHold | null {
  let most = equalPart;
  let found: ReclaimableHold | null = null;
  for (const { holds } of clients) {
    const live = [...holds].filter(({ isReclaimed }) => !isReclaimed);
    if (live.length <= most) continue;
    most = live.length;
    found = live[0] ?? null;
  }
  return found;
}

/** A connection to the host. */
export interface Placed {
  /** The current use; null while the connection is idle. */
  hold: Hold | null;
}

export interface PlaceRequest<C extends Placed> {
  client: string;
  signal: AbortSignal;
  /** Reports whether this request can use a connection that another request releases. */
  accepts: (connection: C) => boolean;
  onReclaim: ReclaimableHold['onReclaim'];
}

/** The use of a place by one request, until its connection is released or closed. */
export interface Hold extends ReclaimableHold {
  readonly client: string;
}

/** A hold, with the connection that another request released; null: one must be dialed. */
export interface Grant<C extends Placed> {
  hold: Hold;
  connection: C | null;
}

/** Why a client gets no place, or loses one: it has a full queue, or another client has none. */
export type PlaceFault = 'waiting' | 'reclaimed';

export interface HostPlacesOptions {
  /** Creates the error of a request that gets no place, or whose place is reclaimed. */
  createError: (fault: PlaceFault) => Error;
  /** Connections to the host at a time: being dialed, in use or idle. */
  maxPlaces: number;
  /** Requests of one client that may wait; default 100. */
  maxWaitingPerClient?: number;
  /**
   * Calls `run` once, after the time that a client without a place waits before one is reclaimed for it
   * (default 1 s). Returns the function that cancels it.
   */
  startTimer?: (run: () => void) => () => void;
}

interface Waiter<C extends Placed> {
  request: PlaceRequest<C>;
  resolve: (grant: Grant<C>) => void;
}

interface Client<C extends Placed> extends PlaceClient<Waiter<C>> {
  cancelTimer: (() => void) | null;
  isStarved: boolean;
}

export const MAX_WAITING_PER_CLIENT = 100;
const STARVED_AFTER_MS = 1000;

const startStarvationTimer = (run: () => void) => {
  const timer = setTimeout(run, STARVED_AFTER_MS);
  return () => clearTimeout(timer);
};

/**
 * The places at one host, shared fairly among clients. A client may hold all but one of them (or the only
 * one). The next place goes to the client that holds the fewest, then to the least recently served. If a
 * client holds none and has waited for a second, the oldest request of the client that holds the most is
 * stopped for it, if that is more than an equal part. The place is free when its connection has closed.
 *
 * It is no Semaphore: a place outlives the request that holds it, as an idle connection, and passes to the
 * next request together with its connection.
 */
export class HostPlaces<C extends Placed> {
  readonly #options: Required<HostPlacesOptions>;
  readonly #maxHolds: number;
  readonly #clients = new Map<string, Client<C>>();
  #open = 0;
  #servedCount = 0;
  /** Holds that are being reclaimed: their connections have not closed yet. */
  #reclaimed = 0;

  constructor({
    createError,
    maxPlaces,
    maxWaitingPerClient = MAX_WAITING_PER_CLIENT,
    startTimer = startStarvationTimer,
  }: HostPlacesOptions) {
    this.#options = { createError, maxPlaces, maxWaitingPerClient, startTimer };
    this.#maxHolds = Math.max(maxPlaces - 1, 1);
  }

  /** Connections being dialed, in use or idle. No request waits if there are none. */
  get open(): number {
    return this.#open;
  }

  /** Reports whether the client may hold one more place. */
  canHold(client: string): boolean {
    return (this.#clients.get(client)?.holds.size ?? 0) < this.#maxHolds;
  }

  /** Holds a free place; null if there is none for this client. */
  tryAcquire(request: PlaceRequest<C>): Hold | null {
    if (this.#open >= this.#options.maxPlaces || !this.canHold(request.client)) return null;
    this.#open += 1;
    return this.#addHold(request, this.#openClient(request.client));
  }

  /** Holds the place of an idle connection. The caller has checked `canHold`. */
  reuse(connection: C, request: PlaceRequest<C>): void {
    connection.hold = this.#addHold(request, this.#openClient(request.client));
  }

  /**
   * Waits for a place, or for a connection that another request releases. Throws the error of `createError`
   * if too many requests of the client wait; throws and rejects with the signal's reason.
   */
  acquire(request: PlaceRequest<C>): Promise<Grant<C>> {
    request.signal.throwIfAborted();
    const client = this.#openClient(request.client);
    const { maxWaitingPerClient, createError } = this.#options;
    if (client.waiting.size >= maxWaitingPerClient) throw createError('waiting');
    return new Promise((resolve, reject) => {
      const waiter: Waiter<C> = {
        request,
        resolve(grant) {
          stopListening();
          resolve(grant);
        },
      };
      const stopListening = onAbort(request.signal, (reason) => {
        client.waiting.delete(waiter);
        this.#update(request.client, client);
        reject(reason);
      });
      client.waiting.add(waiter);
      this.#update(request.client, client);
      this.#grantFreePlaces();
    });
  }

  /** Frees the place of a connection that has closed or was not opened. `hold` is null if it was idle. */
  free(hold: Hold | null): void {
    this.#open -= 1;
    this.#endHold(hold);
    this.#grantFreePlaces();
  }

  /**
   * Ends the use of a connection that can be reused. `reassigned`: the next request has it. `idle`: it stays
   * open. `mismatched`: the next request needs another connection, so the caller must close this one.
   */
  release(connection: C): 'reassigned' | 'idle' | 'mismatched' {
    this.#endHold(connection.hold);
    connection.hold = null;
    const next = findNextClient(this.#clients.values(), this.#maxHolds);
    const [waiter] = next?.waiting ?? [];
    if (next === null || waiter === undefined) return 'idle';
    if (!waiter.request.accepts(connection)) return 'mismatched';
    this.#grant(next, waiter, connection);
    this.#reclaim();
    return 'reassigned';
  }

  #openClient(name: string): Client<C> {
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    const client: Client<C> = {
      holds: new Set(),
      waiting: new Set(),
      servedAt: this.#servedCount,
      cancelTimer: null,
      isStarved: false,
    };
    this.#clients.set(name, client);
    return client;
  }

  #addHold({ client: name, onReclaim }: PlaceRequest<C>, client: Client<C>): Hold {
    const hold: Hold = { client: name, onReclaim, isReclaimed: false };
    client.holds.add(hold);
    client.servedAt = this.#servedCount += 1;
    this.#update(name, client);
    return hold;
  }

  #grant(client: Client<C>, waiter: Waiter<C>, connection: C | null): void {
    client.waiting.delete(waiter);
    const hold = this.#addHold(waiter.request, client);
    if (connection !== null) connection.hold = hold;
    waiter.resolve({ hold, connection });
  }

  #endHold(hold: Hold | null): void {
    if (hold === null) return;
    const client = this.#clients.get(hold.client);
    if (client?.holds.delete(hold) !== true) return;
    if (hold.isReclaimed) this.#reclaimed -= 1;
    client.servedAt = this.#servedCount += 1;
    this.#update(hold.client, client);
  }

  /** Starts or stops the starvation timer of a client, and deletes a client that neither holds nor waits. */
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

  #grantFreePlaces(): void {
    while (this.#open < this.#options.maxPlaces) {
      const next = findNextClient(this.#clients.values(), this.#maxHolds);
      const [waiter] = next?.waiting ?? [];
      if (next === null || waiter === undefined) break;
      this.#open += 1;
      this.#grant(next, waiter, null);
    }
    this.#reclaim();
  }

  /**
   * Reclaims one place per starved client, from clients that hold more than an equal part (at least one
   * place).
   */
  #reclaim(): void {
    let starved = 0;
    for (const { isStarved } of this.#clients.values()) if (isStarved) starved += 1;
    while (this.#reclaimed < starved) {
      const equalPart = Math.max(1, this.#options.maxPlaces / this.#clients.size);
      const hold = findReclaimable(this.#clients.values(), equalPart);
      if (hold === null) return;
      hold.isReclaimed = true;
      this.#reclaimed += 1;
      hold.onReclaim(this.#options.createError('reclaimed'));
    }
  }
}
