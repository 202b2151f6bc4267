import { readDomainFacts } from './domain-facts.ts';
import type { MailExchange, MailFacts } from '../lookup-mail.ts';

/** What a look-up showed, in one word. `not_checked`: none was asked for, or the domain needs none. */
export type MxStatus = 'found' | 'implicit' | 'null_mx' | 'none' | 'unknown' | 'not_checked';

/** Why a domain refuses mail, or why nobody could tell. */
export type MailReason =
  | 'null_mx'
  | 'unusable_mx'
  | 'domain_not_found'
  | 'no_mail_host'
  | 'no_public_address'
  | `dns_${Extract<MailFacts, { outcome: 'unknown' }>['reason']}`;

/** The verdict on a domain's mail: `refuses` only where DNS proves it (trouble is not an answer). */
export interface MailVerdict {
  status: MxStatus;
  refuses: boolean;
  reason: MailReason | null;
  exchanges: readonly MailExchange[];
}

const REASONS = {
  nxdomain: 'domain_not_found',
  nodata: 'no_mail_host',
  no_public_address: 'no_public_address',
} as const;
const IPV4 = /^[0-9.]+$/;

/** The verdicts on facts that are given again and again. */
const verdicts = new WeakMap<MailFacts, MailVerdict>();

/** Judges what DNS said by RFC 5321 §5.1 (MX, implicit MX) and RFC 7505 (null MX). */
export function judgeMail(facts: MailFacts): MailVerdict {
  let verdict = verdicts.get(facts);
  if (verdict === undefined) verdicts.set(facts, (verdict = judge(facts)));
  return verdict;
}

function judge(facts: MailFacts): MailVerdict {
  if (facts.outcome === 'mx') return judgeExchanges(facts.exchanges);
  if (facts.outcome === 'address') return { status: 'implicit', refuses: false, reason: null, exchanges: [] };
  if (facts.outcome === 'none') {
    return { status: 'none', refuses: true, reason: REASONS[facts.reason], exchanges: [] };
  }
  return { status: 'unknown', refuses: false, reason: `dns_${facts.reason}`, exchanges: [] };
}

/** A null MX beside real ones is ignored; an MX to localhost, an address or a reserved name serves nobody. */
function judgeExchanges(exchanges: readonly MailExchange[]): MailVerdict {
  const real = exchanges.filter(({ exchange }) => exchange !== '' && exchange !== '.');
  if (real.length === 0) return { status: 'null_mx', refuses: true, reason: 'null_mx', exchanges };
  const usable = real.some(({ exchange }) => isUsableExchange(exchange));
  return { status: 'found', refuses: !usable, reason: usable ? null : 'unusable_mx', exchanges };
}

function isUsableExchange(exchange: string): boolean {
  const host = exchange.toLowerCase();
  if (!host.includes('.') || IPV4.test(host) || host.includes(':')) return false;
  const known = usableHosts.get(host);
  if (known !== undefined) return known;
  const { hasKnownTld, isSpecialUse } = readDomainFacts(host);
  const usable = hasKnownTld && !isSpecialUse;
  if (usableHosts.size >= MAX_REMEMBERED_HOSTS) usableHosts.clear();
  usableHosts.set(host, usable);
  return usable;
}

/** A few mail hosts serve most domains. */
const usableHosts = new Map<string, boolean>();
const MAX_REMEMBERED_HOSTS = 4096;
