import { readFileSync } from 'node:fs';
import { loadRealDomains } from '../../scripts/real-domains/load-real-domains.ts';
import { loadCases } from '../../scripts/typo-rates/load-cases.ts';
import { type DomainLists, loadDomainLists, type MailFacts, validateEmail } from '../../src/email/index.ts';
import { LARGE_WEIGHT } from '../../src/email/suggest/find-provider.ts';
import { loadTypoPairs, parseTypoPairs } from '../../scripts/typo-rates/load-typo-pairs.ts';
import { listMistyped, type Mistyped } from './mistype.ts';
import type { Peer } from './peers.ts';

/** Returns the corrected address, or null. */
type Suggest = (email: string) => string | null | Promise<string | null>;

interface Candidate {
  name: string;
  /** By the mode of DNS; the peers do not query DNS, so they have one. */
  modes: Suggest[];
}

type Typo = Omit<Mistyped, 'kind'>;

const HELD_OUT = new URL('../../test/email/held-out-typos.txt', import.meta.url);
/** The answers of DNS: silent, no domain exists, every domain accepts mail. */
export const DNS_MODES: readonly MailFacts[] = [
  { outcome: 'unknown', reason: 'timeout' },
  { outcome: 'none', reason: 'nxdomain' },
  { outcome: 'mx', exchanges: [{ exchange: 'mx.mail-host.com', priority: 10 }] },
];
const SHORT_LABEL = 4;

const lists = loadDomainLists();

/** Formats tables of the typos corrected and the real domains touched, by mode of DNS and kind of error. */
export async function formatSuggestionTables(peers: readonly Peer[]): Promise<string> {
  const candidates = [
    { name: '**this module**', modes: openModes(lists) },
    ...peers.flatMap(({ name, suggest }) => (suggest === undefined ? [] : [{ name, modes: [suggest] }])),
  ];
  const tables = [
    await formatRecall(candidates, 'typos of the cases', listTyposOfCases()),
    await formatRecall(candidates, 'typos of unseen sources', loadUnseen()),
    await formatSources(candidates[0] as Candidate),
    await formatTouched(candidates),
    await formatKinds(candidates),
  ];
  return tables.map((rows) => rows.join('\n')).join('\n\n');
}

function openModes(of: DomainLists): Suggest[] {
  return DNS_MODES.map((facts) => async (email) => {
    const request = { email, checkMx: true, suggest: true, details: false };
    return (await validateEmail(request, { lists: of, lookupMail: async () => facts })).didYouMean;
  });
}

/** The parameters of the model are chosen on these, and on those that were held out before. */
function listTyposOfCases(): Typo[] {
  const cases = loadCases().domains.filter((item): item is Typo => item.meant !== null);
  return [...cases, ...parseTypoPairs(readFileSync(HELD_OUT, 'utf8'))];
}

/** Nothing is taken from these. A name that is a provider's is no typo, whatever a source says. */
function loadUnseen(sources = loadTypoPairs('unseen')): Typo[] {
  const { domains } = lists.suggestions;
  return [...sources.values()].flat().filter(({ typed, meant }) => domains.has(meant) && !domains.has(typed));
}

/** Formats the share of typos that are corrected, by the source. */
async function formatSources({ modes }: Candidate): Promise<string[]> {
  const rows = [
    '| unseen source | typos | of large providers: DNS silent | no domain exists | every domain accepts mail | to something else |',
    '|---|---|---|---|---|---|',
  ];
  for (const [name, pairs] of loadTypoPairs('unseen')) {
    const typos = loadUnseen(new Map([[name, pairs]]));
    const scores = await scoreModes(
      modes,
      typos.filter(({ meant }) => isLarge(meant)),
    );
    const wrong = Math.max(...(await scoreModes(modes, typos)).map((item) => item.wrong));
    rows.push(`| ${[name, typos.length, ...scores.map(({ right }) => right), wrong].join(' | ')} |`);
  }
  return rows;
}

async function formatRecall(
  candidates: readonly Candidate[],
  title: string,
  typos: readonly Typo[],
): Promise<string[]> {
  const large = typos.filter(({ meant }) => isLarge(meant));
  const rest = typos.filter(({ meant }) => !isLarge(meant));
  const rows = [
    `| ${title} | of large providers (${large.length}): DNS silent | no domain exists | every domain accepts mail | of the rest (${rest.length}): DNS silent | no domain exists | every domain accepts mail | to something else |`,
    '|---|---|---|---|---|---|---|---|',
  ];
  for (const { name, modes } of candidates) {
    const ofLarge = await scoreModes(modes, large);
    const ofRest = await scoreModes(modes, rest);
    const wrong = Math.max(...[...ofLarge, ...ofRest].map((score) => score.wrong));
    const cells = [...ofLarge.map(({ right }) => right), ...ofRest.map(({ right }) => right), String(wrong)];
    rows.push(`| ${[name, ...cells].join(' | ')} |`);
  }
  return rows;
}

async function formatTouched(candidates: readonly Candidate[]): Promise<string[]> {
  const domains = [...loadRealDomains().keys()];
  const suggestions = { ...lists.suggestions, mailDomains: new Set<string>() };
  const unprotected = openModes({ ...lists, suggestions });
  const rows = [
    `| real domains touched, of ${domains.length.toLocaleString('en')} | DNS silent | no domain exists | every domain accepts mail |`,
    '|---|---|---|---|',
  ];
  const [ours, ...others] = candidates as [Candidate, ...Candidate[]];
  const without = { name: 'without its list of mail domains', modes: unprotected };
  for (const { name, modes } of [ours, without, ...others]) {
    const counts = await mapModes(modes, async (suggest) => {
      let count = 0;
      for (const domain of domains) if ((await call(suggest, `ann@${domain}`)) !== null) count++;
      return `${count.toLocaleString('en')} (${((100 * count) / domains.length).toFixed(3)} %)`;
    });
    rows.push(`| ${[name, ...counts].join(' | ')} |`);
  }
  return rows;
}

/** All single errors of the large providers, by kind: no list has them, so nothing is tuned to them. */
async function formatKinds(candidates: readonly Candidate[]): Promise<string[]> {
  const { domains, mailDomains } = lists.suggestions;
  const errors = [...domains]
    .filter(isLarge)
    .flatMap(listMistyped)
    .filter(({ typed }) => !domains.has(typed) && !mailDomains.has(typed));
  const isShort = ({ meant }: Mistyped): boolean => meant.indexOf('.') <= SHORT_LABEL;
  const groups = Object.entries(Object.groupBy(errors, (item) => (isShort(item) ? 'short' : item.kind)));
  const columns = candidates.flatMap(({ name, modes }) =>
    modes.length === 1 ? [name] : [`${name}, DNS silent`, 'every domain accepts mail'],
  );
  const rows = [
    `| single errors of large providers | number | ${columns.join(' | ')} |`,
    `|---|---|${'---|'.repeat(columns.length)}`,
  ];
  for (const [kind, items = []] of groups.toSorted(
    ([first], [second]) => Number(first === 'short') - Number(second === 'short'),
  )) {
    const cells: string[] = [];
    for (const { modes } of candidates) {
      const used = modes.length === 1 ? modes : [modes[0] as Suggest, modes[2] as Suggest];
      for (const suggest of used) cells.push((await score(suggest, items)).right);
    }
    const title = kind === 'short' ? `any, of a name of 2 to ${SHORT_LABEL} letters` : kind;
    rows.push(`| ${[title, items.length, ...cells].join(' | ')} |`);
  }
  return rows;
}

function isLarge(domain: string): boolean {
  const dot = domain.indexOf('.');
  const families = lists.suggestions.families.get(domain.slice(0, dot)) ?? [];
  const suffix = domain.slice(dot + 1);
  return families.some(({ weight, suffixes }) => weight >= LARGE_WEIGHT && suffixes.includes(suffix));
}

async function scoreModes(modes: readonly Suggest[], items: readonly Typo[]) {
  return mapModes(modes, (suggest) => score(suggest, items));
}

/** Computes a value for each mode of DNS; a peer has one, which is repeated. */
async function mapModes<T>(
  modes: readonly Suggest[],
  compute: (suggest: Suggest) => Promise<T>,
): Promise<T[]> {
  const values: T[] = [];
  for (const suggest of modes) values.push(await compute(suggest));
  return values.length === 1 ? DNS_MODES.map(() => values[0] as T) : values;
}

async function score(suggest: Suggest, items: readonly Typo[]): Promise<{ right: string; wrong: number }> {
  let right = 0;
  let wrong = 0;
  for (const { typed, meant } of items) {
    const got = await call(suggest, `ann@${typed}`);
    if (got === `ann@${meant}`) right++;
    else if (got !== null) wrong++;
  }
  return { right: `${((100 * right) / items.length).toFixed(1)} %`, wrong };
}

/** Calls a candidate; null if it throws. */
async function call(suggest: Suggest, email: string): Promise<string | null> {
  try {
    return await suggest(email);
  } catch {
    return null;
  }
}
