import { onAbort } from './deadline.ts';

/** A client that holds places or waits for one, or a group of them. */
interface Party {
  /** In order of arrival; a group has those of its members. */
  readonly holds: Set<Hold>;
  /**
   * When its last hold began or ended; for a new one its arrival, so that a client gains nothing by
   * reconnecting.
   */
  servedAt: number;
  /** True if it holds none and has waited for a second. */
  readonly isStarved: boolean;
  /** The clients of a group, by name. */
  readonly members?: ReadonlyMap<string, Party>;
}

/** Parties among which places are reclaimed. */
interface Level {
  readonly members: ReadonlyMap<string, Party>;
  /** Their holds that are being reclaimed: the connections have not closed yet. */
  reclaimed: number;
}

/** Compares parties: the one that holds the fewest is next, then the least recently served one. */
function compare(a: Party, b: Party): number {
  return a.holds.size - b.holds.size || a.servedAt - b.servedAt;
}

/**
 * Returns the oldest hold of the party that holds the most, if that is more than `part`; of a group, that of
 * its member that holds the most. Holds that are being reclaimed do not count.
 */
function findReclaimable(parties: Iterable<Party>, part: number): Hold | null {
  let live: Hold[] = [];
  let largest: Party | null = null;
  for (const party of parties) {
    const own = [...party.holds].filter(({ reclaimedFor }) => reclaimedFor === null);
    if (own.length > Math.max(part, live.length)) [live, largest] = [own, party];
  }
  return largest?.members ? findReclaimable(largest.members.values(), 0) : (live[0] ?? null);
}

/** Reclaims one place per starved party, from those that hold more than an equal part (at least one). */
function reclaim(level: Level, places: number, createError: () => Error): void {
  const parties = [...level.members.values()];
  const starved = parties.filter(({ isStarved }) => isStarved).length;
  while (level.reclaimed < starved) {
    const hold = findReclaimable(parties, Math.max(1, places / parties.length));
    if (hold === null) return;
    hold.reclaimedFor = level;
    level.reclaimed += 1;
    hold.onReclaim(createError());
  }
}

/** A connection to the host. */
export interface Placed {
  /** The current use; null while the connection is idle. */
  hold: Hold | null;
}

export interface PlaceRequest<C extends Placed> {
  /** `group member`, with a space, if the part of a client is shared by a group. */
  client: string;
  signal: AbortSignal;
  /** Reports whether this request can use a connection that another request releases. */
  accepts: (connection: C) => boolean;
  /** Called at most once, while the place is held: the work must stop and close its connection. */
  onReclaim: (error: Error) => void;
}

/** The use of a place by one request, until its connection is released or closed. */
export interface Hold {
  readonly client: string;
  readonly onReclaim: (error: Error) => void;
  reclaimedFor: Level | null;
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

interface Client<C extends Placed> extends Party {
  readonly group: Group<C>;
  /** In order of arrival. */
  readonly waiting: Set<Waiter<C>>;
  cancelTimer: (() => void) | null;
  isStarved: boolean;
}

/** Clients that are one among the others. A client without a group is alone in its own. */
class Group<C extends Placed> implements Party, Level {
  readonly holds = new Set<Hold>();
  readonly members = new Map<string, Client<C>>();
  servedAt: number;
  reclaimed = 0;

  constructor(servedAt: number) {
    this.servedAt = servedAt;
  }

  get isStarved(): boolean {
    return this.holds.size === 0 && [...this.members.values()].some(({ isStarved }) => isStarved);
  }
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
 * The clients of a group are one client, and share what it has by the same rules.
 *
 * It is no Semaphore: a place outlives the request that holds it, as an idle connection, and passes to the
 * next request together with its connection.
 */
export class HostPlaces<C extends Placed> {
  readonly #options: Required<HostPlacesOptions>;
  readonly #maxHolds: number;
  readonly #groups = new Map<string, Group<C>>();
  readonly #root: Level = { members: this.#groups, reclaimed: 0 };
  #open = 0;
  #servedCount = 0;

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

  /** Reports whether the client, with its group, may hold one more place. */
  canHold(client: string): boolean {
    return (this.#groups.get(toGroup(client))?.holds.size ?? 0) < this.#maxHolds;
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
    const next = this.#findNext();
    const [waiter] = next?.waiting ?? [];
    if (next === null || waiter === undefined) return 'idle';
    if (!waiter.request.accepts(connection)) return 'mismatched';
    this.#grant(next, waiter, connection);
    this.#reclaim();
    return 'reassigned';
  }

  /** Returns the client that gets the next place. */
  #findNext(): Client<C> | null {
    let next: Client<C> | null = null;
    for (const group of this.#groups.values())
      for (const client of group.holds.size < this.#maxHolds ? group.members.values() : []) {
        if (client.waiting.size === 0) continue;
        if (next === null || (compare(group, next.group) || compare(client, next)) < 0) next = client;
      }
    return next;
  }

  #openClient(name: string): Client<C> {
    const group = this.#groups.get(toGroup(name)) ?? new Group<C>(this.#servedCount);
    const known = group.members.get(name);
    if (known !== undefined) return known;
    this.#groups.set(toGroup(name), group);
    const client: Client<C> = {
      group,
      holds: new Set(),
      waiting: new Set(),
      servedAt: this.#servedCount,
      cancelTimer: null,
      isStarved: false,
    };
    group.members.set(name, client);
    return client;
  }

  #addHold({ client: name, onReclaim }: PlaceRequest<C>, client: Client<C>): Hold {
    const hold: Hold = { client: name, onReclaim, reclaimedFor: null };
    this.#servedCount += 1;
    for (const party of [client, client.group]) {
      party.holds.add(hold);
      party.servedAt = this.#servedCount;
    }
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
    const client = this.#groups.get(toGroup(hold.client))?.members.get(hold.client);
    if (client?.holds.has(hold) !== true) return;
    if (hold.reclaimedFor !== null) hold.reclaimedFor.reclaimed -= 1;
    this.#servedCount += 1;
    for (const party of [client, client.group]) {
      party.holds.delete(hold);
      party.servedAt = this.#servedCount;
    }
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
    if (client.holds.size > 0) return;
    client.group.members.delete(name);
    if (client.group.members.size === 0) this.#groups.delete(toGroup(name));
  }

  #grantFreePlaces(): void {
    while (this.#open < this.#options.maxPlaces) {
      const next = this.#findNext();
      const [waiter] = next?.waiting ?? [];
      if (next === null || waiter === undefined) break;
      this.#open += 1;
      this.#grant(next, waiter, null);
    }
    this.#reclaim();
  }

  /** Reclaims places for starved groups, then for starved clients of groups that hold some. */
  #reclaim(): void {
    const createError = () => this.#options.createError('reclaimed');
    reclaim(this.#root, this.#options.maxPlaces, createError);
    for (const group of this.#groups.values()) reclaim(group, group.holds.size, createError);
  }
}

function toGroup(client: string): string {
  return client.split(' ', 1)[0] ?? client;
}
