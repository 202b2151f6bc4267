/** What all readers of bodies together may take of one turn of the event loop. */
const TURN_MS = 2;

let usedMs = 0;
let isResetDue = false;
const waiting: (() => void)[] = [];

/** Whether work may still be done in this turn. */
export function hasTurnTime(): boolean {
  return usedMs < TURN_MS;
}

/** Does a small piece of work and counts its time. */
export function spendTurnTime(work: (bytes: Buffer) => void, bytes: Buffer): void {
  const startMs = performance.now();
  try {
    work(bytes);
  } finally {
    usedMs += performance.now() - startMs;
    scheduleReset();
  }
}

/** Calls back in a later turn, in the order of the calls, when there is time again. */
export function waitForTurn(resume: () => void): void {
  waiting.push(resume);
  scheduleReset();
}

function scheduleReset(): void {
  if (isResetDue) return;
  isResetDue = true;
  setImmediate(reset);
}

function reset(): void {
  isResetDue = false;
  usedMs = 0;
  // Those that run out of time again wait behind the others.
  for (let left = waiting.length; left > 0 && hasTurnTime(); left -= 1) waiting.shift()?.();
  if (waiting.length > 0) scheduleReset();
}

/** Does a piece of work of several milliseconds in a later turn, so that many of them do not fill one turn. */
export function workInTurn<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    waitForTurn(() => {
      const startMs = performance.now();
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      } finally {
        usedMs += performance.now() - startMs;
      }
    });
  });
}
