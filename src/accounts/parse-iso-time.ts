const SHAPE = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** A time in ISO 8601 with its zone, or a day (its midnight in UTC), as milliseconds; null for anything else and for a day that no calendar has. */
export function parseIsoTime(text: string): number | null {
  const [, year, month, day] = SHAPE.exec(text) ?? [];
  if (day === undefined) return null;
  // Date.parse takes 30 February for 2 March.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day))
    return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
