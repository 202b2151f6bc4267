/** A queue of items, each of a client. Clients alternate; the items of one client keep their order. */
export class ClientQueue<T> {
  readonly #byClient = new Map<string, T[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(client: string, item: T): void {
    const items = this.#byClient.get(client);
    if (items === undefined) this.#byClient.set(client, [item]);
    else items.push(item);
    this.#length += 1;
  }

  /** Removes the next item; undefined if there is none. */
  take(): T | undefined {
    const [next] = this.#byClient;
    if (next === undefined) return undefined;
    const [client, items] = next;
    const item = items.shift();
    this.#byClient.delete(client);
    if (items.length > 0) this.#byClient.set(client, items);
    this.#length -= 1;
    return item;
  }
}

// Limits the length of one turn of the event loop. What many requests do in the same turn adds up: work
// that can wait checks here first, and continues in a later turn if this one has been long. A process has
// one event loop, so the state is the module's.

/** The time that a turn may last before work waits. Each turn then does at most one more piece of work. */
const TURN_MS = 5;
/** New requests start in the first part of a turn, so that they start even if other work fills every turn. */
const ARRIVALS_MS = TURN_MS / 2;
/**
 * The maximum number of scheduled immediates. Promises settle between two of them, and their time counts too.
 */
const MAX_SCHEDULED = 64;

const arrivals = new ClientQueue<() => void>();
const work = new ClientQueue<() => void>();
/** When this turn first checked the time; null if it has not yet. */
let startedAtMs: number | null = null;
let scheduled = 0;

/** True if work that can wait may still be done in this turn. */
export function hasTurnTime(): boolean {
  return hasTime(TURN_MS);
}

/**
 * Runs `arrival`, the start of a request, in this turn or a later one. Waiting arrivals alternate between
 * their clients, so that a client with many requests delays only itself.
 */
export function startInTurn(arrival: () => void, identifyClient: () => string): void {
  if (arrivals.length === 0 && hasTurnTime()) return arrival();
  arrivals.add(identifyClient(), arrival);
  schedule();
}

/**
 * Calls back in this turn if it has time and nothing waits, else in a later turn. Clients alternate; without
 * one, calls are one client.
 */
export function continueInTurn(resume: () => void, client = ''): void {
  if (work.length === 0 && hasTurnTime()) return resume();
  work.add(client, resume);
  schedule();
}

/** Runs a piece of work in a turn that has time, and returns its result. Rejects with what `run` throws. */
export function workInTurn<T>(run: () => T, client?: string): Promise<T> {
  return new Promise((resolve, reject) => {
    continueInTurn(() => {
      try {
        resolve(run());
      } catch (error) {
        reject(error);
      }
    }, client);
  });
}

function hasTime(limitMs: number): boolean {
  const nowMs = performance.now();
  if (startedAtMs !== null) return nowMs - startedAtMs < limitMs;
  startedAtMs = nowMs;
  setImmediate(endTurn);
  return true;
}

/** Runs before the immediates of `schedule`: it was scheduled when the turn first checked the time. */
function endTurn(): void {
  startedAtMs = null;
}

function schedule(): void {
  for (; scheduled < Math.min(MAX_SCHEDULED, arrivals.length + work.length); scheduled += 1)
    setImmediate(runNext);
}

function runNext(): void {
  scheduled -= 1;
  try {
    if (arrivals.length > 0 && hasTime(work.length > 0 ? ARRIVALS_MS : TURN_MS)) arrivals.take()?.();
    else if (hasTurnTime()) work.take()?.();
  } finally {
    schedule();
  }
}

/**
 * Runs long work in slices, in turns that have time, until `slice` returns true. Rejects with what it
 * throws.
 */
export async function runInSlices(slice: () => boolean): Promise<void> {
  while (!(await workInTurn(slice)));
}
