import type { ApiError } from '#errors';

/** A held place that can be reclaimed. */
export interface ReclaimableHold {
  /**
   * Called at most once, while the place is held. The work must stop with this error and close its
   * connection.
   */
  readonly onReclaim: (error: ApiError) => void;
  isReclaimed: boolean;
}

/** A client that holds places or waits for one. Its sets are in order of arrival. */
export interface PlaceClient<Waiter> {
  readonly holds: Set<ReclaimableHold>;
  readonly waiting: Set<Waiter>;
  /**
   * When its last hold began or ended; for a new client its arrival, so that a client gains nothing by
   * reconnecting.
   */
  servedAt: number;
}

/**
 * Returns the client that gets the next place: of those that wait and hold fewer than `maxHolds`, the one
 * with the fewest, then the least recently served.
 */
export function findNextClient<W, C extends PlaceClient<W>>(
  clients: Iterable<C>,
  maxHolds: number,
): C | null {
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
export function findReclaimable<W>(
  clients: Iterable<PlaceClient<W>>,
  equalPart: number,
): ReclaimableHold | null {
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
