/**
 * Decides which errors that no request handles are survived, and counts them. ARCHITECTURE.md has the table.
 */
import { ApiError } from '#errors';

/** Why an uncaught error ends the process; null if it is survived. */
export type FatalReason =
  | 'starting'
  | 'memory'
  | 'assertion'
  | 'storage'
  | 'shared state'
  | 'too many'
  | null;

const MAX_SURVIVED = 10;
const WINDOW_MS = 60_000;
const MAX_CAUSES = 5;
/**
 * Modules with state that requests share and that is not rebuilt: an error in the middle may have left half a
 * change. withPlace only runs the work of others: it is in the stack of whatever that throws.
 */
const SHARED_STATE = /[\\/]src[\\/](?:shares|ratelimit|usage)[\\/](?!with-place\.)/;
const STORAGE = /[\\/]src[\\/]storage[\\/]/;

let count = 0;
let survivedAt: number[] = [];

/** Returns how many errors have reached the top of the process since it started, survived or not. */
export function countUncaughtErrors(): number {
  return count;
}

/** Counts an error that reached the top of the process. Returns why it must end the process, or null. */
export function recordUncaughtError(error: unknown, now: number): FatalReason {
  count += 1;
  const reason = judgeUncaughtError(error);
  if (reason !== null) return reason;
  survivedAt = [...survivedAt.filter((at) => now - at < WINDOW_MS), now];
  return survivedAt.length > MAX_SURVIVED ? 'too many' : null;
}

/** Decides about one error, by what it is and where it was thrown. */
export function judgeUncaughtError(error: unknown): FatalReason {
  try {
    for (const cause of listCauses(error)) {
      // Refusals and cancellations are thrown between changes of state, never within one.
      if (cause instanceof ApiError || cause.name === 'AbortError' || cause.name === 'TimeoutError')
        return null;
      const reason = judgeError(cause);
      if (reason !== null) return reason;
    }
  } catch {
    // Its own accessors throw: an object that somebody threw, and no error of the runtime.
  }
  return null;
}

function judgeError(error: Error): FatalReason {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ERR_MEMORY_ALLOCATION_FAILED' || code === 'ENOMEM') return 'memory';
  if (error.name === 'RangeError' && /allocation failed|out of memory/i.test(error.message)) return 'memory';
  if (code === 'ERR_INTERNAL_ASSERTION' || code === 'ERR_ASSERTION') return 'assertion';
  const frames = listFrames(error);
  if (code.startsWith('ERR_SQLITE') || STORAGE.test(frames)) return 'storage';
  return SHARED_STATE.test(frames) ? 'shared state' : null;
}

/** The error, the errors that caused it, and those that it combines. */
function listCauses(error: unknown): Error[] {
  const found: Error[] = [];
  const waiting = [error];
  while (waiting.length > 0 && found.length < MAX_CAUSES) {
    const next = waiting.shift();
    if (!(next instanceof Error)) continue;
    found.push(next);
    waiting.push(next.cause, ...(next instanceof AggregateError ? next.errors : []));
  }
  return found;
}

/** The lines of the stack without the message, which may quote a caller. */
function listFrames({ stack = '', message }: Error): string {
  const at = stack.indexOf(message);
  return at < 0 ? stack : stack.slice(at + message.length);
}
