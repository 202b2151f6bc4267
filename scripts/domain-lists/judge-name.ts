import { parse } from 'tldts';
import { findParent } from '../../src/email/domain/domain-facts.ts';
import type { ProviderTypos } from './provider-typos.ts';
import type { SourceNames } from './parse-source.ts';

/**
 * The judgment of a name that a public list has.
 *
 * | judgment | meaning |
 * |---|---|
 * | `own` | our own list names it |
 * | `voted` | two independent lists name it |
 * | `corroborated` | one list names it, and something else speaks for it |
 * | `uncorroborated` | one list names it, and nothing else |
 * | `suffix` | it is no domain, or a public suffix |
 * | `provider` | it belongs to a relay, a mail provider, an Internet provider or a company |
 * | `free_provider` | lists of free providers name it, and too few others call it disposable |
 * | `institution` | it belongs to a university, a school or an authority |
 * | `top_site`, `site` | it is one of the 10,000, or of the million, most visited sites |
 * | `typo` | it is a misspelling of a provider |
 */
export type Judgment =
  | 'own'
  | 'voted'
  | 'corroborated'
  | 'uncorroborated'
  | 'suffix'
  | 'provider'
  | 'free_provider'
  | 'institution'
  | 'top_site'
  | 'site'
  | 'typo';

export interface Evidence {
  sources: SourceNames;
  /** The list disposable-email-domains, whose reviewers ask for a proof of each addition. */
  reviewed: ReadonlySet<string>;
  own: ReadonlySet<string>;
  never: ReadonlySet<string>;
  typos: ProviderTypos;
}

/** Names that say what they are. */
export const TELLING_NAME =
  /dump-?mail|false-?(?:e?mail|address)|recycler-?mail|te?mp(?:orary)?-?e?-?(?:mail|inbox)|trash-?mail|\d0-?m(?:in|inute)?s?-?e?mail|minute-?inbox|throw-?a-?way|disposable|guerr?illa-?mail|fake-?(?:e?mail|inbox)|mailinator|yopmail|spam-?(?:box|bog|trap|hole)|burner-?mail|drop-?mail|anon-?box|wegwerf|jetable|getnada/;
/** Suffixes below which only institutions register. `edu.pl` and `ac.id` are open to all. */
const INSTITUTION = /\.(?:edu|gov|mil|int)$|\.(?:gov|gob|gouv)\.[a-z]{2}$|\.(?:ac|nhs)\.uk$/;
/** Branches whose domains have the customers' own sites and hosts below them. */
const HOSTING = new Set(['Web Host', 'IaaS', 'PaaS', 'SaaS']);
const ENOUGH_VOTES = 2;
/** Votes against a known free provider, and against a visited site. */
const VOTES_AGAINST_FREE = 3;
const VOTES_AGAINST_SITE = 4;

/** Judges a name of a public list, in lower case. */
export function judgeName(name: string, evidence: Evidence): Judgment {
  const facts = parse(name, { allowPrivateDomains: true });
  const exists = facts.domain !== null && (facts.isIcann === true || facts.isPrivate === true);
  if (!exists || !/^[a-z0-9.-]+$/.test(name)) return 'suffix';
  if (findParent(name, (one) => evidence.never.has(one)) !== null) return 'provider';
  if (evidence.own.has(name)) return 'own';
  const owner = findOwner(name, facts.domain ?? name, evidence);
  if (owner !== null) return owner;
  return isTypo(name, evidence) ? 'typo' : weighVotes(name, evidence);
}

/** Counts the lists that name a domain independently of each other. */
export function countVotes(name: string, { sources, reviewed }: Evidence): number {
  const imported = [reviewed, sources.wesbos, sources.mailchecker].filter((list) => list.has(name)).length;
  // disposable/disposable has 97 to 99 % of those three, so it is a copy where one of them has the name.
  // amieiro copies all of them: it has no vote.
  const copied = imported === 0 && sources.disposable.has(name) ? 1 : 0;
  return imported + copied + (sources.ivolo.has(name) ? 1 : 0);
}

/**
 * Returns true for a misspelling of a provider. A name that is corrected only if it accepts no mail may be a
 * service of its own: `lastmail.com`.
 */
function isTypo(name: string, { typos, reviewed }: Evidence): boolean {
  if (typos.has(name)) return true;
  return !reviewed.has(name) && !TELLING_NAME.test(name) && typos.hasWithoutMail(name);
}

/** Finds the known owner of a name: a provider, an institution or a site; null without one. */
function findOwner(name: string, registrable: string, evidence: Evidence): Judgment | null {
  const { sources } = evidence;
  const votes = countVotes(name, evidence);
  const isOffered = sources.offered.has(name) || TELLING_NAME.test(name);
  if (findParent(name, (one) => sources.providers.has(one)) !== null) return 'provider';
  const branch = sources.branches.get(name) ?? sources.branches.get(registrable);
  if (branch !== undefined && (sources.branches.has(name) || !HOSTING.has(branch))) return 'provider';
  if (INSTITUTION.test(name) || findParent(name, (one) => sources.schools.has(one)) !== null)
    return 'institution';
  if (sources.top.has(name)) return 'top_site';
  const isFree = name === registrable && (sources.freemail.has(name) || sources.personal.has(name));
  if (isFree && !isOffered && votes < VOTES_AGAINST_FREE) return 'free_provider';
  if (sources.ranked.has(name) && !isOffered && votes < VOTES_AGAINST_SITE) return 'site';
  return null;
}

function weighVotes(name: string, evidence: Evidence): Judgment {
  const { sources } = evidence;
  const votes = countVotes(name, evidence);
  if (votes >= ENOUGH_VOTES) return 'voted';
  if (sources.offered.has(name) || TELLING_NAME.test(name) || evidence.reviewed.has(name))
    return 'corroborated';
  const lists = ['wesbos', 'mailchecker', 'ivolo', 'disposable'] as const;
  const isAged = lists.some((list) => sources[list].has(name) && sources.aged[list].has(name));
  // A list that is no longer maintained keeps what others have removed.
  return isAged && sources.amieiro.has(name) ? 'corroborated' : 'uncorroborated';
}
