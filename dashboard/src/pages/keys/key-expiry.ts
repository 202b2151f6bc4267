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

/** Returns when the key expires, as ISO 8601: null for never. A date includes its last second. */
export function computeExpiry({ choice, date }: Expiry, nowMs: number): string | null {
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(nowMs + Number(choice) * DAY_MS).toISOString();
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** Formats the day after today, as a date field does: "2026-11-22". */
export function formatTomorrow(nowMs: number): string {
  return new Date(nowMs + DAY_MS).toISOString().slice(0, 10);
}
