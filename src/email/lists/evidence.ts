/** A source of evidence: the repository of a list on GitHub, or our word for what is no list. */
export interface EvidenceSource {
  source: string;
  title: string;
  url: string | null;
}

const list = (source: string, title: string) => ({ source, title, url: `https://github.com/${source}` });
const own = (source: string, title: string) => ({ source, title, url: null });

const REVIEWED = 'disposable-email-domains/disposable-email-domains';
const AGGREGATE = 'disposable/disposable-email-domains';
const COPY = 'amieiro/disposable-email-domains';
/** They copy the other lists, so they are no second source. */
const COPIES = new Set([AGGREGATE, COPY]);

/**
 * The sources by the letters of their codes. A lower-case letter says that a domain is disposable, an
 * upper-case one that it is not.
 */
export const EVIDENCE_SOURCES: Readonly<Record<string, EvidenceSource>> = {
  d: list(REVIEWED, 'added with a proof that reviewers have seen'),
  w: list('wesbos/burner-email-providers', 'added by a contributor'),
  m: list('FGRibreau/mailchecker', 'added by a contributor'),
  x: list(AGGREGATE, 'added by an aggregate that asks generators'),
  i: list('ivolo/disposable-email-domains', 'on the list'),
  b: own('bulk_import', 'copied from elsewhere into a list'),
  f: list('7c/fakefilter', 'offered by a generator of addresses'),
  o: own('own_list', 'on our own list'),
  n: own('name', 'its name says so'),
  D: list(REVIEWED, 'removed from the list, or on its allow list'),
  W: list('wesbos/burner-email-providers', 'removed from the list'),
  M: list('FGRibreau/mailchecker', 'removed from the list'),
  I: list('ivolo/disposable-email-domains', 'removed from the list'),
  X: list(AGGREGATE, 'removed from the list, or on its allow list'),
  A: list(COPY, 'removed from the list, or on its allow list'),
  P: own('provider_directory', 'a mail provider, Internet provider or company'),
  F: own('free_providers', 'on lists of free providers'),
  S: own('site_ranking', 'a visited site'),
  U: own('institution', 'a university, a school or an authority'),
  R: own('relay', 'a relay or alias service'),
  T: own('misspelling', 'a misspelling of a provider'),
  V: own('own_list', 'on our own list'),
};

/** A statement of a source about a domain. */
export interface Evidence extends EvidenceSource {
  /** The domain. */
  name: string;
  says: 'disposable' | 'not_disposable';
  /** The month in which the source said it, as `2026-11`; null if it is not known. */
  date: string | null;
}

/** A letter, and two base-36 digits: the months since January 2012, or 00 if the month is not known. */
const CODE = /([a-z])([0-9a-z]{2})/gi;

/** Decodes the evidence of a name: `d1zW7b` is two codes. Leaves out letters that have no source. */
export function decodeEvidence(name: string, codes: string): Evidence[] {
  return [...codes.matchAll(CODE)].flatMap(([, letter = '', digits = '']) => {
    const source = EVIDENCE_SOURCES[letter];
    const months = Number.parseInt(digits, 36);
    const year = 2012 + Math.floor(months / 12);
    const date = months === 0 ? null : `${year}-${String((months % 12) + 1).padStart(2, '0')}`;
    return source ? [{ name, ...source, says: letter >= 'a' ? 'disposable' : 'not_disposable', date }] : [];
  });
}

/** The repository in an address at GitHub, GitHub Pages or jsDelivr. */
const REPOSITORY =
  /^https?:\/\/(?:(?:raw\.githubusercontent\.com|github\.com|\w+\.jsdelivr\.net\/gh)\/([^/]+)|([\w-]+)\.github\.io)\/([^/@]+)/i;

/** Returns the repository in a URL in lower case, as GitHub compares names; null if it has none. */
function findRepository(url: string): string | null {
  const [, owner, page, repository] = REPOSITORY.exec(url) ?? [];
  return repository === undefined ? null : `${owner ?? page}/${repository}`.toLowerCase();
}

/**
 * Returns the evidence of a fetched list. Its source is the repository in its URL if that is a public list of
 * the table, else `fetched_list`: callers do not learn the operator's hosts and private repositories.
 */
export function describeFetched(url: string): Omit<Evidence, 'name'> {
  const repository = findRepository(url);
  const known = Object.values(EVIDENCE_SOURCES).find(({ source }) => source.toLowerCase() === repository);
  const said = { title: 'on a list that is fetched', url, says: 'disposable', date: null } as const;
  return { source: known?.source ?? 'fetched_list', ...said };
}

/**
 * True if fetched lists prove a name that they have: a reviewed list (by its repository, or by the operator's
 * word, the fragment `#reviewed`), or two origins (repositories, else hosts). `known` is the bundled evidence
 * about a suspected name and may be one of them. What was removed or imported in bulk needs a reviewed list.
 */
export function isProven(fetched: readonly Evidence[], known: readonly Evidence[]): boolean {
  const named = fetched.map((list) => ({ url: list.url ?? '', origin: findOrigin(list) }));
  if (named.some(({ origin, url }) => origin === REVIEWED || url.endsWith('#reviewed'))) return true;
  const origins = new Set(named.map(({ origin }) => origin).filter((origin) => !COPIES.has(origin)));
  if (origins.size === 0) return false;
  if (known.some(({ says, source }) => says === 'not_disposable' || source === 'bulk_import')) return false;
  for (const one of known) origins.add(findOrigin(one));
  return origins.size > 1;
}

/** Returns the repository of a list in lower case, else the host; the word of evidence without a URL. */
function findOrigin({ source, url }: EvidenceSource): string {
  return url === null ? source : (findRepository(url) ?? new URL(url).host);
}
