import type { MailExchange, MailFacts } from '../lookup-mail.ts';
import { getDomainFacts } from './domain-facts.ts';

/** The result of a lookup. `not_checked`: none was requested, or the domain needs none. */
export type MxStatus = 'found' | 'implicit' | 'null_mx' | 'none' | 'unknown' | 'not_checked';

/** The reason why a domain refuses mail, or why the lookup failed. */
export type MailReason =
  | 'null_mx'
  | 'unusable_mx'
  | 'unreachable_mx'
  | 'domain_not_found'
  | 'no_mail_host'
  | 'no_public_address'
  | `dns_${Extract<MailFacts, { outcome: 'unknown' }>['reason']}`;

/** The verdict on a domain's mail. */
export interface MailVerdict {
  status: MxStatus;
  /** True only if DNS proves it; a failed lookup proves nothing. */
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

/** Computes the verdict on mail facts by RFC 5321 §5.1 (MX, implicit MX) and RFC 7505 (null MX). */
export function computeMailVerdict(facts: MailFacts): MailVerdict {
  if (facts.outcome === 'mx') return computeMxVerdict(facts);
  if (facts.outcome === 'address') return { status: 'implicit', refuses: false, reason: null, exchanges: [] };
  if (facts.outcome === 'none') {
    return { status: 'none', refuses: true, reason: REASONS[facts.reason], exchanges: [] };
  }
  return { status: 'unknown', refuses: false, reason: `dns_${facts.reason}`, exchanges: [] };
}

/**
 * Ignores a null MX beside real ones. An MX that names localhost, an address or a reserved name is unusable.
 */
function computeMxVerdict(facts: Extract<MailFacts, { outcome: 'mx' }>): MailVerdict {
  const { exchanges } = facts;
  const real = exchanges.filter(({ exchange }) => exchange !== '' && exchange !== '.');
  if (real.length === 0) return { status: 'null_mx', refuses: true, reason: 'null_mx', exchanges };
  const isUsable = real.some(({ exchange }) => isUsableExchange(exchange));
  const fault = isUsable ? null : 'unusable_mx';
  const reason = fault ?? (facts.unreachable === true ? 'unreachable_mx' : null);
  return { status: 'found', refuses: reason !== null, reason, exchanges };
}

/** Returns true for a host that can be public: not an address, a single label or a reserved name. */
export function isUsableExchange(exchange: string): boolean {
  const host = exchange.toLowerCase();
  if (!host.includes('.') || IPV4.test(host) || host.includes(':')) return false;
  const { hasKnownTld, isSpecialUse } = getDomainFacts(host);
  return hasKnownTld && !isSpecialUse;
}
