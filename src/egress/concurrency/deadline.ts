/** The deadline of a fetch came first. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded';
}

/** One budget of time over everything a fetch does, joined with the caller's own signal. */
export interface Deadline {
  /** Aborts with DeadlineExceeded when time is up, or with the caller's reason. */
  signal: AbortSignal;
  /** Aborts the signal with this reason before its time. */
  abort(reason: Error): void;
  /** Ends the timer. */
  close(): void;
}

/** Starts the clock. */
export function openDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DeadlineExceeded(`${timeoutMs} ms`)), timeoutMs);
  const onAbort = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', onAbort, { once: true });
  if (outer?.aborted === true) onAbort();
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    close() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onAbort);
    },
  };
}
