/** The status and the names of an API key. */
import type { Key } from '../api/types.ts';

const MAX_NAME_CHARACTERS = 40;

/** Checks whether a key works: it may be in a grace period, but is neither expired nor revoked. */
export function isLive(key: Key): boolean {
  return key.status === 'active' || key.status === 'expiring';
}

/** Formats a key without its secret part: "ua_live_Ab12…wxyz". */
export function formatMaskedKey(key: Key): string {
  return `${key.prefix}…${key.last_four}`;
}

/** Formats a key as "Checkout server (…wxyz)", because names need not be unique. */
export function formatKeyName({ name, last_four }: Key): string {
  const characters = Array.from(name);
  const short =
    characters.length > MAX_NAME_CHARACTERS
      ? `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join('')}…`
      : name;
  return `${short} (…${last_four})`;
}
