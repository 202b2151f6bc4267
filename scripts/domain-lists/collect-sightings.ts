import { listParents } from './entries.ts';
import type { Histories, Change } from './load-history.ts';

/**
 * A statement of a source about a name, and its day: empty if it is not known. `EVIDENCE_SOURCES` of
 * `src/email/lists/evidence.ts` has the letters.
 */
export interface Sighting {
  letter: string;
  date: string;
}

/** The statements of all sources, by name. */
export type Sightings = Map<string, Sighting[]>;

/** The statements of the histories before a day. */
export interface Collected {
  sightings: Sightings;
  /** The names that a list of disposable domains has on that day. */
  listed: ReadonlySet<string>;
  /** The names that an allow list has on that day: it repeats daily that they are not disposable. */
  allowed: ReadonlySet<string>;
}

/** The lists that people maintain, with the letters for their own additions and for their removals. */
const KEPT_LISTS = { reviewed: 'dD', wesbos: 'wW', mailchecker: 'mM', ivolo: 'iI' } as const;
/** Lists of names that are not disposable. */
const ALLOW_LISTS = { reviewedAllowed: 'D', aggregateAllowed: 'X', amieiroAllowed: 'A' } as const;

type KeptList = keyof typeof KEPT_LISTS;
type AllowList = keyof typeof ALLOW_LISTS;

/** A commit with more names is an import, unless its message names the service that it asked. */
const FEW = 25;
const MANY = 1000;
/** On a day with more additions, names that return to the aggregate show only that it was repaired. */
const RETURNING = 100;
/** The aggregate reads the other lists daily: what they have by then is copied. */
const COPY_DAYS = 7;
const IMPORT =
  /import|\bsync|integrat|(?:from|merge) https:\/\/github|add data from|fgribreau|ivolo|burner-email-providers/i;
const SERVICE =
  /te?mp|minute|throw|burner|dispos|fake|generat|guerr|yopmail|trash|moakt|mohmal|emailondeck|tmailor|mail\.tm|muell|related domains/i;
/** Removals that say nothing about the use of a name. */
const UPKEEP =
  /duplicat|dedup|\bsort|syntax|format|invalid|suffix|\bdead\b|expired|inactive|offline|wildcard|subdomain|downcase|travis|ci checks/i;

/** Collects what the histories say before a day: without changes of that day and later. */
export function collectSightings(histories: Histories, until: string): Collected {
  const sightings: Sightings = new Map();
  const members = new Map<string, Set<string>>(Object.keys(histories).map((name) => [name, new Set()]));
  const getMembers = (history: string): Set<string> => members.get(history) ?? new Set();
  const known = new Set<string>();
  const dropped = new Map<string, string>();
  for (const { history, change } of orderChanges(histories, until)) {
    const present = getMembers(history);
    if (isIn(KEPT_LISTS, history)) readKept(history, change, present, sightings);
    else if (history === 'offered')
      for (const name of change.added) addSighting(sightings, name, 'x', change.date);
    else if (history === 'aggregate') {
      const lists = Object.keys(KEPT_LISTS).map(getMembers);
      const isCopied = (name: string): boolean =>
        lists.some((list) => list.has(name)) || (dropped.get(name) ?? '') >= change.date;
      readAggregate(change, { isCopied, known, sightings });
      for (const name of change.added) known.add(name);
    }
    for (const name of change.added) present.add(name);
    for (const name of change.removed) present.delete(name);
    for (const name of history === 'aggregate' ? [] : change.removed) dropped.set(name, change.date);
  }
  const allow = Object.entries(ALLOW_LISTS) as [AllowList, string][];
  for (const [history, letter] of allow)
    readAllowed(histories[history], getMembers(history), { letter, until, sightings });
  return {
    sightings,
    listed: new Set([...Object.keys(KEPT_LISTS), 'aggregate'].flatMap((list) => [...getMembers(list)])),
    allowed: new Set(allow.flatMap(([history]) => [...getMembers(history)])),
  };
}

function isIn<T extends object>(table: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(table, key);
}

/** Returns the changes of all histories by date; the aggregate's count later, because it copies others. */
function orderChanges(histories: Histories, until: string): { history: string; change: Change }[] {
  const all = Object.entries(histories).flatMap(([history, changes]) => {
    const delay = history === 'aggregate' ? COPY_DAYS : 0;
    return changes
      .filter(({ date }) => date < until)
      .map((change) => ({ history, change, day: Date.parse(change.date) / 86_400_000 + delay }));
  });
  return all.toSorted((one, other) => one.day - other.day);
}

function readKept(list: KeptList, change: Change, present: ReadonlySet<string>, sightings: Sightings): void {
  const [says = '', denies = ''] = KEPT_LISTS[list];
  const letter = isOwnAddition(list, change) ? says : 'b';
  for (const name of change.added) addSighting(sightings, name, letter, change.date);
  if (!isDocumentedRemoval(change)) return;
  const added = new Set(change.added);
  for (const name of change.removed) {
    const isCovered = listParents(name).some((parent) => present.has(parent) || added.has(parent));
    if (!isCovered) addSighting(sightings, name, denies, change.date);
  }
}

/** Returns true for an addition that a contributor observed: a few names, or those of one service. */
export function isOwnAddition(list: KeptList, { added, message }: Change): boolean {
  if (list === 'ivolo') return true;
  if (IMPORT.test(message)) return added.length <= 5;
  if (list === 'reviewed' || added.length <= FEW) return true;
  return added.length <= MANY && SERVICE.test(message);
}

/** True for a removal of a few names for a reason of theirs. */
export function isDocumentedRemoval({ added, removed, message }: Change): boolean {
  return removed.length > 0 && Math.max(removed.length, added.length) <= FEW && !UPKEEP.test(message);
}

interface AggregateContext {
  /** True for a name that another list has some days later, or had in the meantime. */
  isCopied: (name: string) => boolean;
  /** The names that the aggregate has had. */
  known: ReadonlySet<string>;
  sightings: Sightings;
}

/** Names that no list has when the aggregate adds them were offered by a generator, or are an import. */
function readAggregate({ date, added }: Change, { isCopied, known, sightings }: AggregateContext): void {
  const offered = added.filter((name) => (added.length <= RETURNING || !known.has(name)) && !isCopied(name));
  const letter = offered.length <= MANY ? 'x' : 'b';
  for (const name of offered) addSighting(sightings, name, letter, date);
}

/** An entry counts from its first day, because automatic allow lists drop and restore entries. */
function readAllowed(
  changes: readonly Change[],
  present: ReadonlySet<string>,
  { letter, until, sightings }: { letter: string; until: string; sightings: Sightings },
): void {
  const first = new Map<string, string>();
  for (const { date, added } of changes) {
    if (date >= until) break;
    for (const name of added) if (!first.has(name)) first.set(name, date);
  }
  for (const [name, date] of first) if (present.has(name)) addSighting(sightings, name, letter, date);
}

export function addSighting(sightings: Sightings, name: string, letter: string, date: string): void {
  const said = sightings.get(name);
  if (said === undefined) sightings.set(name, [{ letter, date }]);
  else said.push({ letter, date });
}
