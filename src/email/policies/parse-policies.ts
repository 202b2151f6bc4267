import type { TxtFacts } from '../lookup-mail.ts';

/**
 * `invalid`: there is a record that receivers ignore, because it is malformed or one of several. `unknown`:
 * the lookup failed.
 */
type PolicyStatus = 'found' | 'none' | 'invalid' | 'unknown';

/** Computes the status from the facts and the number of records with the right version. */
function computeStatus(facts: TxtFacts, records: number): PolicyStatus {
  if (facts.outcome === 'unknown') return 'unknown';
  if (records === 0) return 'none';
  return records === 1 ? 'found' : 'invalid';
}

type DmarcAction = 'none' | 'quarantine' | 'reject';

/** The DMARC record that applies to a domain (RFC 7489). */
export interface DmarcPolicy {
  status: PolicyStatus;
  /** The request of the owner for failing mail of `domain` itself; null without a valid record. */
  policy: DmarcAction | null;
  /** The same for its subdomains, if the record has `sp`; null if `policy` applies to them. */
  subdomainPolicy: DmarcAction | null;
  /** The publisher of the record: the domain of the address, or its registrable domain. */
  domain: string | null;
  /** The record as published; null without a valid one. */
  record: string | null;
}

const DMARC_VERSION = /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;
const ACTIONS: ReadonlySet<string> = new Set<DmarcAction>(['none', 'quarantine', 'reject']);

/** Returns true if a TXT record has the version of DMARC; all others are ignored (RFC 7489 §6.6.3). */
export function isDmarc(text: string): boolean {
  return DMARC_VERSION.test(text);
}

/** Parses the DMARC record among the TXT records of `_dmarc.<domain>`. Several are an error. */
export function parseDmarc(facts: TxtFacts, domain: string): DmarcPolicy {
  const records = facts.outcome === 'records' ? facts.texts.filter(isDmarc) : [];
  const status = computeStatus(facts, records.length);
  const absent = { policy: null, subdomainPolicy: null, domain: null, record: null };
  const [record] = records;
  if (status !== 'found' || record === undefined) return { status, ...absent };
  const tags = parseTags(record);
  if (tags === null) return { status: 'invalid', ...absent };
  const subdomainPolicy = parseAction(tags.get('sp'));
  // RFC 7489 §6.6.3: with a wrong policy, a record that requests reports counts as `none`.
  const isMonitored = tags.get('rua') !== undefined;
  const hasFault = tags.has('sp') && subdomainPolicy === null;
  const action = hasFault ? null : parseAction(tags.get('p'));
  const policy = action ?? (isMonitored ? 'none' : null);
  if (policy === null) return { status: 'invalid', ...absent };
  return { status, policy, subdomainPolicy, domain, record };
}

/**
 * Parses the tags of a record; their names are case-sensitive. Returns null if one occurs twice, which makes
 * the record invalid (RFC 6376 §3.2, by RFC 7489 §6.3).
 */
function parseTags(record: string): Map<string, string> | null {
  const tags = new Map<string, string>();
  for (const tag of record.split(';')) {
    const equals = tag.indexOf('=');
    const name = tag.slice(0, equals).trim();
    if (equals <= 0) continue;
    if (tags.has(name)) return null;
    tags.set(name, tag.slice(equals + 1).trim());
  }
  return tags;
}

function parseAction(text: string | undefined): DmarcAction | null {
  const action = text?.toLowerCase() ?? '';
  return ACTIONS.has(action) ? (action as DmarcAction) : null;
}

/** The SPF record of a domain (RFC 7208). */
export interface SpfPolicy {
  status: PolicyStatus;
  /**
   * The result for a host that no mechanism before `all` matches; `redirect` if another domain decides. Null
   * without a valid record.
   */
  policy: 'pass' | 'fail' | 'softfail' | 'neutral' | 'redirect' | null;
  /** The record as published; null without a valid one. */
  record: string | null;
}

const SPF_VERSION = /^v=spf1(?: |$)/i;
const ALL = /^([+?~-]?)all$/i;
const MECHANISMS = [
  'all',
  String.raw`(?:include|exists):\S+`,
  String.raw`(?:a|mx)(?::\S+|(?:/\d{1,2})?(?://\d{1,3})?)`,
  String.raw`ptr(?::\S+)?`,
  String.raw`ip4:(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?`,
  String.raw`ip6:[\da-f:.]+(?:/\d{1,3})?`,
];
/** A mechanism, or a modifier, of which unknown ones are ignored (RFC 7208 §5 and §6). */
const TERM = new RegExp(String.raw`^(?:[+?~-]?(?:${MECHANISMS.join('|')})|[a-z][\w.-]*=\S*)$`, 'i');
const RESULTS = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral', '': 'pass' } as const;

/**
 * Parses the SPF record among the TXT records of a domain. Two records are an error, and so is a syntax error
 * anywhere in the record (RFC 7208 §4.5 and §4.6).
 */
export function parseSpf(facts: TxtFacts): SpfPolicy {
  const records = facts.outcome === 'records' ? facts.texts.filter((text) => SPF_VERSION.test(text)) : [];
  const status = computeStatus(facts, records.length);
  const [record = ''] = records;
  if (status !== 'found') return { status, policy: null, record: null };
  const terms = record.split(' ').slice(1).filter(Boolean);
  if (!terms.every((term) => TERM.test(term))) return { status: 'invalid', policy: null, record: null };
  return { status, policy: findPolicy(terms), record };
}

/** Finds what `all` says. Everything after it is ignored (RFC 7208 §5.1), and it overrides a redirect. */
function findPolicy(terms: readonly string[]): SpfPolicy['policy'] {
  for (const term of terms) {
    const qualifier = ALL.exec(term)?.[1];
    if (qualifier !== undefined) return RESULTS[qualifier as keyof typeof RESULTS];
  }
  // RFC 7208 §4.7: without a match and a redirect, the result is neutral.
  return terms.some((term) => /^redirect=./i.test(term)) ? 'redirect' : 'neutral';
}
