/** True if a promise settles within this turn of the event loop: it waits for nothing outside the process. */
export async function settlesInTurn(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  promise.then(settle, settle);
  for (let microtask = 0; microtask < 20; microtask += 1) await Promise.resolve();
  return isSettled;
}
