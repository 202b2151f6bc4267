/** Resolves after `ms` of real time. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** Checks whether `work` resolves within `ms` of real time. Returns false if it rejects. */
export async function resolvesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: timedOut, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const resolved = work.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([resolved, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
