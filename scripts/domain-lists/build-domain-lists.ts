import { createHash } from 'node:crypto';
import { RELAY_DOMAINS } from '../../src/email/verdict/host-traits.ts';
import { buildFreeList } from './build-free-list.ts';
import { addSighting, type Collected, collectSightings } from './collect-sightings.ts';
import { formatEntry, hasParentIn, listParents, parseEntries, sortUnique } from './entries.ts';
import { type Grade, type GradeContext, type Graded, gradeName } from './grade-name.ts';
import type { Histories } from './load-history.ts';
import type { SourceNames } from './parse-source.ts';
import { recognizeTypos } from './provider-typos.ts';

/** The overlay files of this folder, by name without `.txt`. */
export const OVERLAY_NAMES = [
  'providers',
  'free-extra',
  'free-removed',
  'never-disposable',
  'disposable-extra',
  'disposable-mail-hosts',
  'sites',
  'roles',
  'typos',
  'neighbors',
] as const;

/** The texts of the overlay files. */
export type Overlay = Record<(typeof OVERLAY_NAMES)[number], string>;

/** The inputs of the lists of disposable and of free providers. */
export interface ListInputs {
  /** The package disposable-email-domains-js: the reviewed list, some time after the pinned commit. */
  disposablePackage: readonly string[];
  histories: Histories;
  sources: SourceNames;
  overlay: Overlay;
}

/** The generated files: name in `src/email/data`, and its entries. */
export type BuiltLists = Record<string, string[]>;

/** The grades of all names that a source has. */
export interface GradedNames {
  grades: ReadonlyMap<string, Graded>;
  /** The names of a grade, without those below another name of the grade. */
  disposable: ReadonlySet<string>;
  suspected: ReadonlySet<string>;
  never: ReadonlySet<string>;
  context: GradeContext;
}

/** A longer list means that a source has changed its nature. At start it is read whole. */
const MAX_DISPOSABLE = 80_000;
/** The pinned release of disposable-email-domains-js, and its day on npm. */
export const PACKAGE_RELEASE = { version: '1.26.0', day: '2026-09-21' };
/** After all days of the pinned commits. */
const LAST_DAY = '9999';

/** Lists the domains of the provider families, which are lines of `weight label suffix…`. */
export function listProviderDomains(providers: string): string[] {
  return parseEntries(providers).flatMap((line) => {
    const [, label, ...suffixes] = line.split(/\s+/);
    return suffixes.map((suffix) => `${label?.replace('~', '')}.${suffix}`);
  });
}

/** Builds the lists that depend on the overlay alone. */
export function buildOverlayLists(overlay: Overlay): BuiltLists {
  return {
    'disposable-mail-hosts.txt': sortUnique(parseEntries(overlay['disposable-mail-hosts'])),
    'roles.txt': sortUnique(parseEntries(overlay.roles)),
    'neighbors.txt': sortUnique(parseEntries(overlay.neighbors)),
    'typos.txt': parseEntries(overlay.typos),
    'providers.txt': parseEntries(overlay.providers),
  };
}

/** Builds the graded lists and the list of free providers. */
export function buildSourceLists(inputs: ListInputs, graded: GradedNames = gradeNames(inputs)): BuiltLists {
  const { disposable, suspected, never, grades, context } = graded;
  if (disposable.size > MAX_DISPOSABLE)
    throw new Error(`${disposable.size} disposable domains, more than ${MAX_DISPOSABLE}`);
  const format = (names: ReadonlySet<string>): string[] =>
    sortUnique(names).map((name) => formatEntry(name, grades.get(name)?.sightings ?? []));
  return {
    'disposable.txt': format(disposable),
    'suspected.txt': format(suspected),
    'never-disposable.txt': format(never),
    'free.txt': buildFreeList(inputs.sources, {
      own: listOwnFree(inputs.overlay),
      removed: new Set([...parseEntries(inputs.overlay['free-removed']), ...listTypos(inputs.overlay)]),
      listed: disposable,
      isNamed: (name) => context.listed.has(name),
    }),
  };
}

/** Grades all names by what the sources said before a day; without those whose letters are left out. */
export function gradeNames(inputs: ListInputs, until = LAST_DAY, leftOut = ''): GradedNames {
  const { sources, overlay } = inputs;
  const context: GradeContext = {
    sources,
    ...leaveOut(collectAll(inputs, until), leftOut),
    own: new Set(parseEntries(overlay['disposable-extra'])),
    never: collectNever(overlay),
    sites: new Set(parseEntries(overlay.sites)),
    typos: recognizeTypos(parseEntries(overlay.providers)),
  };
  const grades = new Map<string, Graded>();
  for (const name of [...context.own, ...context.never.keys(), ...context.sightings.keys()])
    if (!grades.has(name)) grades.set(name, gradeName(name, context));
  return { ...selectNames(grades, context.never), grades, context };
}

function collectAll({ histories, sources, disposablePackage }: ListInputs, until: string): Collected {
  const collected = collectSightings(histories, until);
  const { sightings } = collected;
  const reviewed = new Set(histories.reviewed.flatMap(({ added }) => added));
  for (const name of until > PACKAGE_RELEASE.day ? disposablePackage : [])
    if (!reviewed.has(name)) addSighting(sightings, name, 'd', PACKAGE_RELEASE.day);
  for (const { name, days } of sources.offered)
    for (const day of days) if (day < until) addSighting(sightings, name, 'f', day);
  for (const said of sightings.values()) said.sort((one, other) => (one.date < other.date ? -1 : 1));
  return collected;
}

function leaveOut(collected: Collected, letters: string): Collected {
  if (letters === '') return collected;
  const { sightings } = collected;
  for (const [name, said] of sightings) {
    const left = said.filter(({ letter }) => !letters.includes(letter));
    if (left.length === 0) sightings.delete(name);
    else sightings.set(name, left);
  }
  return collected;
}

/** Our own names that are never disposable: relays, others, and the providers that are free. */
function collectNever(overlay: Overlay): Map<string, string> {
  return new Map([
    ...[...listOwnFree(overlay)].map((name) => [name, 'P'] as const),
    ...parseEntries(overlay['never-disposable']).map((name) => [name, 'V'] as const),
    ...[...RELAY_DOMAINS].map((name) => [name, 'R'] as const),
  ]);
}

function listOwnFree(overlay: Overlay): ReadonlySet<string> {
  return new Set([...parseEntries(overlay['free-extra']), ...listProviderDomains(overlay.providers)]);
}

function listTypos(overlay: Overlay): string[] {
  return parseEntries(overlay.typos).map((line) => line.slice(0, line.indexOf(' ')));
}

/**
 * Selects the names of each grade. Left out are names below another of the grade; suspected names below any
 * listed one; and names that are never disposable above a disposable one, because they would cover it.
 */
function selectNames(
  grades: ReadonlyMap<string, Graded>,
  own: ReadonlyMap<string, string>,
): Pick<GradedNames, 'disposable' | 'suspected' | 'never'> {
  const list = (wanted: Grade): Set<string> =>
    new Set([...grades].filter(([, { grade }]) => grade === wanted).map(([name]) => name));
  const [listed, doubted, denied] = [list('disposable'), list('suspected'), list('never')];
  const disposable = new Set([...listed].filter((name) => !hasParentIn(name, listed)));
  const parents = new Set([...disposable].flatMap(listParents));
  const never = new Set(
    [...denied].filter((name) => own.has(name) || (!parents.has(name) && !hasParentIn(name, denied))),
  );
  const suspected = [...doubted].filter((name) =>
    [listed, doubted, never].every((names) => !hasParentIn(name, names)),
  );
  return { disposable, never, suspected: new Set(suspected) };
}

/** Computes a hash of the inputs, by which a test finds a stale file without rebuilding it. */
export function computeInputHash(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  return hash.digest('hex').slice(0, 32);
}

/** Formats a list as a text file with its header. */
export function formatList(what: string, hash: string, entries: readonly string[]): string {
  return `# ${what} Generated by scripts/update-domain-lists.ts: do not edit.\n# inputs ${hash}\n${entries.join('\n')}\n`;
}
