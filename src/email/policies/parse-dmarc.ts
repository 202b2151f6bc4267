import type { TxtFacts } from '../lookup-txt.ts';
import { computeStatus, type PolicyStatus } from './policy-status.ts';

export type DmarcAction = 'none' | 'quarantine' | 'reject';

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

const VERSION = /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;
const ACTIONS: ReadonlySet<string> = new Set<DmarcAction>(['none', 'quarantine', 'reject']);

/** Returns true if a TXT record has the version of DMARC; all others are ignored (RFC 7489 §6.6.3). */
export function isDmarc(text: string): boolean {
  return VERSION.test(text);
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
