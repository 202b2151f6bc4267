import { parse } from 'tldts';
import { findParent } from '../../src/email/domain/domain-facts.ts';
import type { Collected, Sighting } from './collect-sightings.ts';
import { listParents } from './entries.ts';
import type { SourceNames } from './parse-source.ts';
import type { ProviderTypos } from './provider-typos.ts';

/**
 * The grade of a name.
 *
 * | grade | meaning |
 * |---|---|
 * | `disposable` | reviewed, or observed in use, or on our own list |
 * | `suspected` | one source of unproven origin has it |
 * | `never` | removed as legitimate, or the name of a provider, a company, an institution, a site, a typo |
 * | `none` | no domain, a public suffix, or nothing speaks for it |
 */
export type Grade = 'disposable' | 'suspected' | 'never' | 'none';

export interface Graded {
  grade: Grade;
  /** Why, for the entry in the list. */
  sightings: Sighting[];
}

/** The evidence about names, and the lists of known owners. */
export interface GradeContext extends Collected {
  sources: SourceNames;
  own: ReadonlySet<string>;
  /** Our own names that are never disposable, with the letter that says why. */
  never: ReadonlyMap<string, string>;
  /** Visited sites beside the rankings. */
  sites: ReadonlySet<string>;
  typos: ProviderTypos;
}

/** Names that say what they are. */
export const TELLING_NAME =
  /dump-?mail|false-?(?:e?mail|address)|recycler-?mail|te?mp(?:orary)?-?e?-?(?:mail|inbox)|trash-?mail|\d0-?m(?:in|inute)?s?-?e?mail|minute-?inbox|throw-?a-?way|disposable|guerr?illa-?mail|fake-?(?:e?mail|inbox)|mailinator|yopmail|spam-?(?:box|bog|trap|hole)|burner-?mail|drop-?mail|anon-?box|wegwerf|eintags|jetable|nullbox|getnada/;
/** Suffixes below which only institutions register. `edu.pl` and `ac.id` are open to all. */
const INSTITUTION = /\.(?:edu|gov|mil|int)$|\.(?:gov|gob|gouv)\.[a-z]{2}$|\.(?:ac|nhs)\.uk$/;
/** Branches whose domains have the customers' own sites and hosts below them. */
const HOSTING = new Set(['Web Host', 'IaaS', 'PaaS', 'SaaS']);
/** Letters of a person or a program that saw the name in use: it restores a name that a list has today. */
const SEEN = /[dwmxf]/;
/** Letters of independent origins. A bulk import is none. */
const ORIGIN = /[dwmxfi]/;
/** Origins that outweigh a list of free providers, and a ranking of visited sites. */
const ORIGINS_AGAINST_OWNER = 3;
/** A day after all others. */
const ALWAYS = '9999';

/** Grades a name in lower case by all that was said about it. */
export function gradeName(name: string, context: GradeContext): Graded {
  const said = context.sightings.get(name) ?? [];
  const facts = parse(name, { allowPrivateDomains: true });
  const exists = facts.domain !== null && (facts.isIcann === true || facts.isPrivate === true);
  if (!exists || !/^[a-z0-9.-]+$/.test(name)) return { grade: 'none', sightings: [] };
  const ours = findParent(name, (one) => context.never.has(one));
  if (ours !== null) return decide('never', said, context.never.get(ours));
  if (context.own.has(name)) return decide('disposable', said, 'o');
  const registrable = facts.domain ?? name;
  const removed = findRemoval(name, registrable, context);
  const votes = said.filter(({ letter, date }) => letter > 'Z' && (removed === null || date > removed));
  const isRestored = context.listed.has(name) && votes.some(({ letter }) => SEEN.test(letter));
  if (removed !== null && !isRestored) return decide('never', said);
  const owner = findOwner(name, registrable, votes, context);
  if (owner !== null) return decide('never', said, owner);
  return weigh(name, said, votes, context.listed);
}

function decide(grade: Grade, said: readonly Sighting[], letter?: string): Graded {
  const why = letter === undefined ? [] : [{ letter, date: '' }];
  return { grade, sightings: [...why, ...keepTelling(said)] };
}

/** A name without evidence of use is suspected only as long as a list has it. */
function weigh(
  name: string,
  said: readonly Sighting[],
  votes: readonly Sighting[],
  listed: ReadonlySet<string>,
): Graded {
  const isTelling = votes.length > 0 && TELLING_NAME.test(name);
  const isProven = isTelling || votes.some(({ letter }) => SEEN.test(letter));
  if (!isProven && (votes.length === 0 || !listed.has(name))) return decide('none', []);
  return decide(isProven ? 'disposable' : 'suspected', said, isTelling ? 'n' : undefined);
}

/** Keeps the first mention of a name by each source, the last denial, and the first mention after it. */
function keepTelling(said: readonly Sighting[]): Sighting[] {
  const denied = said.findLast(({ letter }) => letter < 'a')?.date ?? '';
  const kept = new Map<string, Sighting>();
  for (const one of said) {
    const isFresh = denied !== '' && one.date > denied;
    const key = one.letter > 'Z' ? `${one.letter}${isFresh}` : one.letter;
    if (one.letter < 'a' || !kept.has(key)) kept.set(key, one);
  }
  return [...kept.values()];
}

/**
 * Returns the day of the last removal of a name, or of a domain above it that is no public suffix; null
 * without one. An allow list that has the name outweighs all days.
 */
function findRemoval(name: string, registrable: string, { sightings, allowed }: GradeContext): string | null {
  const owners = [name, ...listParents(name)].filter((one) => one.length >= registrable.length);
  if (owners.some((one) => allowed.has(one))) return ALWAYS;
  const denials = owners.flatMap((one) => sightings.get(one) ?? []).filter(({ letter }) => letter < 'a');
  return (
    denials
      .map(({ date }) => date)
      .toSorted()
      .at(-1) ?? null
  );
}

/** Finds the known owner of a name, as the letter that says so; null without one. */
function findOwner(
  name: string,
  registrable: string,
  votes: readonly Sighting[],
  { sources, sites, typos }: GradeContext,
): string | null {
  const letters = new Set(votes.map(({ letter }) => letter));
  const origins = [...letters].filter((letter) => ORIGIN.test(letter)).length;
  const isTelling = TELLING_NAME.test(name);
  const isOffered = isTelling || letters.has('f');
  if (findParent(name, (one) => sources.providers.has(one)) !== null) return 'P';
  const branch = sources.branches.get(name) ?? sources.branches.get(registrable);
  if (branch !== undefined && (sources.branches.has(name) || !HOSTING.has(branch))) return 'P';
  if (INSTITUTION.test(name) || findParent(name, (one) => sources.schools.has(one)) !== null) return 'U';
  if (sources.top.has(name)) return 'S';
  const isFree = name === registrable && (sources.freemail.has(name) || sources.personal.has(name));
  if (isFree && !isOffered && origins < ORIGINS_AGAINST_OWNER) return 'F';
  if (sites.has(name) && !isOffered && origins < ORIGINS_AGAINST_OWNER) return 'S';
  if (typos.has(name)) return 'T';
  // Such a name may be a service of its own: lastmail.com.
  const isContributed = (letters.has('w') || letters.has('m')) && origins > 1;
  const isProven = isTelling || letters.has('d') || isContributed;
  return !isProven && typos.hasWithoutMail(name) ? 'T' : null;
}
