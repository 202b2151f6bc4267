import type { TxtFacts } from '../lookup-txt.ts';
import { computeStatus, type PolicyStatus } from './policy-status.ts';

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

const VERSION = /^v=spf1(?: |$)/i;
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
  const records = facts.outcome === 'records' ? facts.texts.filter((text) => VERSION.test(text)) : [];
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
