/** The states of a key, as the list shows and filters them. */
import type { Key } from '../../api/types.ts';
import { formatExact } from '../../components/format.ts';

/** The groups of the list. */
export type KeyGroup = 'active' | 'expiring' | 'ended';

/** The segments above the list. */
export const GROUPS: readonly { value: KeyGroup | 'all'; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'expiring', label: 'Expires soon' },
  { value: 'ended', label: 'Ended' },
];

/** Returns the group. A rotated key still works until its grace period ends. */
export function getGroup({ status }: Key): KeyGroup {
  return status === 'active' || status === 'expiring' ? status : 'ended';
}

/** Returns the word of the state, the color of its dot, and a sentence with the exact time. */
export function describeState(key: Key): { word: string; meaning: 'ok' | 'warn' | 'off'; sentence: string } {
  const until = key.expires_at === null ? null : formatExact(key.expires_at);
  if (key.status === 'revoked') {
    const time = key.revoked_at === null ? '' : ` ${formatExact(key.revoked_at)}`;
    return { word: 'Revoked', meaning: 'off', sentence: `Revoked${time}` };
  }
  if (key.status === 'expired') return { word: 'Expired', meaning: 'off', sentence: `Expired ${until}` };
  const sentence = until === null ? 'Works until you revoke it' : `Works until ${until}`;
  if (key.status === 'active') return { word: 'Active', meaning: 'ok', sentence };
  return key.rotated_to === null
    ? { word: 'Expires soon', meaning: 'warn', sentence }
    : { word: 'Rotated', meaning: 'warn', sentence: `Replaced by a new key. ${sentence}` };
}

const ORDER: Readonly<Record<KeyGroup, number>> = { active: 0, expiring: 0, ended: 1 };

/** Returns the keys that a search and a segment select: those that work first, else in their order. */
export function selectKeys<OneKey extends Key>(
  keys: readonly OneKey[],
  group: string | undefined,
  search: string | undefined,
): OneKey[] {
  const text = (search ?? '').trim().toLowerCase();
  return keys
    .filter((key) => group === undefined || group === 'all' || getGroup(key) === group)
    .filter(({ name, prefix, last_four: lastFour }) =>
      [name, prefix, lastFour].some((part) => part.toLowerCase().includes(text)),
    )
    .toSorted((one, other) => ORDER[getGroup(one)] - ORDER[getGroup(other)]);
}
