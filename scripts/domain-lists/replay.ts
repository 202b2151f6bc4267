import { parse } from 'tldts';
import { findParent } from '../../src/email/domain/domain-facts.ts';
import { type GradedNames, gradeNames, type ListInputs } from './build-domain-lists.ts';
import type { Sighting } from './collect-sightings.ts';
import { listParents } from './entries.ts';
import type { HistoryName } from './histories.ts';

/** A line of a table: a truth, the names in it, those that the build could know, and what it called them. */
export interface Row {
  truth: string;
  names: number;
  known: number;
  disposable: number;
  suspected: number;
}

type Said = readonly Sighting[];

/** The lists whose contributors check what they add: their letters, and their allow lists. */
const CHECKING: Record<string, { letters: string; allow: HistoryName | null }> = {
  'disposable-email-domains': { letters: 'dD', allow: 'reviewedAllowed' },
  'wesbos/burner-email-providers': { letters: 'wW', allow: null },
  'FGRibreau/mailchecker': { letters: 'mM', allow: null },
  'disposable/disposable': { letters: 'xX', allow: 'aggregateAllowed' },
};
const DAYS = 365;

/** Returns the day a year before the last change of the histories. */
export function findReplayDay({ histories }: ListInputs): string {
  const last = Object.values(histories).map((changes) => changes.at(-1)?.date ?? '');
  const end = Date.parse(last.toSorted().at(-1) ?? '');
  return new Date(end - DAYS * 86_400_000).toISOString().slice(0, 10);
}

/** Judges the build of a day by the additions and removals since then, which `full` has. */
export function replayDay(inputs: ListInputs, full: GradedNames, day: string): Row[] {
  const then = gradeNames(inputs, day);
  const all = [...full.context.sightings];
  const removed = all.filter(([, said]) => isRemovedSince(said, day)).map(([name]) => name);
  return [countGrades('removed as legitimate', removed, then), ...countAdded(full, day, then)];
}

/** Judges a build by what the checking lists added since a day, which `full` has. */
export function countAdded(full: GradedNames, day: string, judged: GradedNames): Row[] {
  return Object.entries(CHECKING).map(([list, { letters }]) => {
    const added = [...full.context.sightings].filter(([, said]) => isAddedSince(said, letters, day));
    return countGrades(
      `added by ${list} in a year`,
      added.map(([name]) => name),
      judged,
    );
  });
}

/** Judges builds without one list by what that list says. */
export function leaveOneOut(inputs: ListInputs, full: GradedNames, day: string): Row[] {
  const all = [...full.context.sightings];
  return Object.entries(CHECKING).flatMap(([list, { letters, allow }]) => {
    const histories = allow === null ? inputs.histories : { ...inputs.histories, [allow]: [] };
    const without = gradeNames({ ...inputs, histories }, undefined, letters);
    const [says = '', denies = ''] = letters;
    const truths: [string, (said: Said) => boolean][] = [
      [`removed by ${list}`, (said) => hasSaid(said, denies) && !isSeenAfter(said)],
      [`added by ${list} in a year`, (said) => isAddedSince(said, letters, day)],
      [`seen by ${list} and another origin`, (said) => hasSaid(said, says) && isSeenByOther(said, says)],
    ];
    return truths.map(([truth, isTrue]) => {
      const names = all.filter(([, said]) => isTrue(said)).map(([name]) => name);
      return countGrades(truth, names, without);
    });
  });
}

/** Counts what a build called names. Subdomains have the grade of the domain above them. */
export function countGrades(truth: string, names: readonly string[], graded: GradedNames): Row {
  const isIn = (list: ReadonlySet<string>) => (name: string) =>
    findParent(name, (one) => list.has(one)) !== null;
  const [isDisposable, isSuspected, isNever] = [graded.disposable, graded.suspected, graded.never].map(isIn);
  const listed = names.filter((name) => isDisposable?.(name) && !isNever?.(name));
  const suspected = names.filter((name) => isSuspected?.(name) && !isDisposable?.(name) && !isNever?.(name));
  const known = names.filter((name) => listOwners(name).some((one) => graded.grades.has(one)));
  const counts = { names: names.length, known: known.length };
  return { truth, ...counts, disposable: listed.length, suspected: suspected.length };
}

/** Lists a name and the domains above it that are no public suffixes. */
function listOwners(name: string): string[] {
  const { domain } = parse(name, { allowPrivateDomains: true });
  return [name, ...listParents(name)].filter((one) => one.length >= (domain ?? name).length);
}

function hasSaid(said: Said, letter: string): boolean {
  return said.some((one) => one.letter === letter);
}

/** True for a name that a list added for the first time since a day, and that no list removed. */
function isAddedSince(said: Said, letters: string, day: string): boolean {
  const first = said.find(({ letter }) => letter === letters.charAt(0));
  return first !== undefined && first.date >= day && !isDenied(said);
}

function isSeenByOther(said: Said, letter: string): boolean {
  return !isDenied(said) && said.some((one) => isSeen(one) && one.letter !== letter);
}

function isSeen({ letter }: Sighting): boolean {
  return /[dwmxf]/.test(letter);
}

function isDenied(said: Said): boolean {
  return said.some(({ letter }) => letter < 'a');
}

/** True for a name that was seen after its last removal. */
function isSeenAfter(said: Said): boolean {
  const last = said.findLast(({ letter }) => letter < 'a')?.date ?? '';
  return said.some((one) => isSeen(one) && one.date > last);
}

/** True for a name that a list removed for the first time since a day. Copies of allow lists do not count. */
function isRemovedSince(said: Said, day: string): boolean {
  const denials = said.filter(({ letter }) => letter < 'a' && letter !== 'A');
  return denials.length > 0 && denials.every(({ date }) => date >= day) && !isSeenAfter(said);
}

/** Formats a table of Markdown. Shares are of the names that the build could know. */
export function formatRows(title: string, rows: readonly Row[]): string {
  const percent = (part: number, { known }: Row): string =>
    known === 0 ? '' : `${((100 * part) / known).toFixed(1)} %`;
  const lines = rows.map((row) => {
    const { truth, names, known, disposable, suspected } = row;
    const shares = [percent(disposable, row), percent(disposable + suspected, row)];
    return `| ${[truth, names, known, disposable, ...shares].join(' | ')} |`;
  });
  const head = [title, 'names', 'known', 'disposable', 'of the known', 'or suspected'];
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines].join('\n');
}
