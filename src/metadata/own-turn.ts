let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop of its own: of all that wait, one goes on in each turn. For work of 10 ms and more, so that pages which
 * end at the same time do not hold up everything else together.
 */
export function waitForOwnTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
