/**
 * Decides which errors outside a request the process survives, and counts them. ARCHITECTURE.md has the
 * table.
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
 * Modules with state that is shared by requests and never rebuilt: an error may have left a change
 * unfinished. withPlace is exempt, because it runs the work of other modules and is in the stack of their
 * errors.
 */
const SHARED_STATE = /[\\/]src[\\/](?:limits[\\/](?:shares|rate)|usage)[\\/](?!with-place\.)/;
const STORAGE = /[\\/]src[\\/]storage[\\/]/;

let count = 0;
let survivedAt: number[] = [];

/** Returns the number of errors since the start of the process, survived or not. */
export function countUncaughtErrors(): number {
  return count;
}

/** Counts an error. Returns why it must end the process, or null. */
export function recordUncaughtError(error: unknown, now: number): FatalReason {
  count += 1;
  const reason = judgeUncaughtError(error);
  if (reason !== null) return reason;
  survivedAt = [...survivedAt.filter((at) => now - at < WINDOW_MS), now];
  return survivedAt.length > MAX_SURVIVED ? 'too many' : null;
}

/** Decides by what an error is and where it was thrown. */
export function judgeUncaughtError(error: unknown): FatalReason {
  try {
    for (const cause of listCauses(error)) {
      // Refusals and cancellations are thrown between changes of state.
      if (cause instanceof ApiError || cause.name === 'AbortError' || cause.name === 'TimeoutError')
        return null;
      const reason = judgeError(cause);
      if (reason !== null) return reason;
    }
  } catch {
    // The accessors of a thrown object throw: it is no error of the runtime.
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

/** Returns the error, its causes, and the errors that it combines. */
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

/** Returns the stack without the message, which may contain text of a client. */
function listFrames({ stack = '', message }: Error): string {
  const at = stack.indexOf(message);
  return at < 0 ? stack : stack.slice(at + message.length);
}
