import type { Sighting } from './collect-sightings.ts';

const FIRST_YEAR = 2012;

/** Parses a list with one entry per line; `#` starts a comment line. */
export function parseEntries(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Lists the parents of a name, nearest first, up to its last label. */
export function listParents(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_label, index) => labels.slice(index + 1).join('.'));
}

export function hasParentIn(name: string, names: { has(name: string): boolean }): boolean {
  return listParents(name).some((parent) => names.has(parent));
}

export function sortUnique(names: Iterable<string>): string[] {
  return [...new Set(names)].toSorted();
}

/**
 * Formats an entry of a graded list: the name, and the codes of what was said about it, by date. A code is a
 * letter of `EVIDENCE_SOURCES` and two base-36 digits: the months since January 2012, `00` if not known.
 */
export function formatEntry(name: string, sightings: readonly Sighting[]): string {
  const codes = sightings.map(({ letter, date }) => letter + formatMonth(date));
  const byMonth = [...new Set(codes)].toSorted((one, other) => (one.slice(1) < other.slice(1) ? -1 : 1));
  return `${name} ${byMonth.join('')}`;
}

function formatMonth(date: string): string {
  const [year = FIRST_YEAR, month = 1] = date.split('-').map(Number);
  const months = date === '' ? 0 : (year - FIRST_YEAR) * 12 + month - 1;
  return Math.max(0, months).toString(36).padStart(2, '0');
}
