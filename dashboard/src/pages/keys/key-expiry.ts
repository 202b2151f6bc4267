/** The choices of when a key expires. */

/** A choice of EXPIRIES, and the date of the choice `date`. */
export interface Expiry {
  choice: string;
  date: string;
}

/** The choices: never, days from now, or a date. */
export const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'date', label: 'On a date…' },
];

export const NO_EXPIRY: Expiry = { choice: 'never', date: '' };

const DAY_MS = 86_400_000;

/**
 * Returns when the key expires, as ISO 8601: null for never, undefined if the date is missing or invalid. A
 * date includes its last second.
 */
export function computeExpiry({ choice, date }: Expiry, nowMs: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(nowMs + Number(choice) * DAY_MS).toISOString();
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** Formats the day after today in the browser's time zone, as a date field does: "2026-11-22". */
export function formatTomorrow(nowMs: number): string {
  const day = new Date(nowMs);
  day.setDate(day.getDate() + 1);
  const parts = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
