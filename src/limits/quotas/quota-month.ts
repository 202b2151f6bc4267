/** A calendar month in UTC. */
export interface QuotaMonth {
  startMs: number;
  /** The start of the next month. */
  endMs: number;
}

/** Returns the month that contains `nowMs`. */
export function computeQuotaMonth(nowMs: number): QuotaMonth {
  const date = new Date(nowMs);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) };
}

/** Returns a function that finds the month of a time, and computes it once a month. */
export function createMonthFinder(): (nowMs: number) => QuotaMonth {
  let month: QuotaMonth = { startMs: 0, endMs: 0 };
  return (nowMs) => {
    if (nowMs < month.startMs || nowMs >= month.endMs) month = computeQuotaMonth(nowMs);
    return month;
  };
}
