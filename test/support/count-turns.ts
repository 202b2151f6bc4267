/** Counts the turns of the event loop from now on. */
export function countTurns(): { count: number; stop: () => void } {
  const counter = { count: 0, stop: () => clearImmediate(next) };
  let next = setImmediate(countOne);
  function countOne(): void {
    counter.count += 1;
    next = setImmediate(countOne);
  }
  return counter;
}
