import type { ShareHolder, ShareKind, Shares } from './shares.ts';

/** The place that the work holds while it runs. */
export interface PlaceRequest {
  kind: ShareKind;
  holder: ShareHolder;
  signal: AbortSignal | undefined;
  /** See AcquireOptions. */
  maxWaitMs?: number;
}

/**
 * Waits for a place and runs `work` while holding it. The signal given to `work` aborts with the caller's
 * signal, and with the error to respond with when the place is reclaimed. Rejects as Shares.acquire and
 * `work` do.
 */
export async function withPlace<T>(
  shares: Pick<Shares, 'acquire'>,
  { kind, holder, signal, maxWaitMs }: PlaceRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const reclaimed = new AbortController();
  const place = await shares.acquire(kind, holder, {
    signal,
    onReclaim: (error) => reclaimed.abort(error),
    ...(maxWaitMs !== undefined && { maxWaitMs }),
  });
  try {
    return await work(signal === undefined ? reclaimed.signal : AbortSignal.any([signal, reclaimed.signal]));
  } finally {
    place.release();
  }
}
