/** Cancels the requests at the deadline or when `signal` aborts, and then throws its reason. */
export async function abortAtLimits<T>(
  work: Promise<T>,
  aborter: AbortController,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<T> {
  const abort = (): void => aborter.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const result = await work;
    signal?.throwIfAborted();
    return result;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
