import { parseAddress, trimAddress } from '../address/parse-address.ts';
import { getDomainFacts } from '../domain/domain-facts.ts';
import type { EmailReport } from '../email-report.ts';
import type { LookupTxt } from '../lookup-mail.ts';
import { type DmarcPolicy, type SpfPolicy, isDmarc, parseDmarc, parseSpf } from './parse-policies.ts';

/**
 * Adds the policies of the domain to the details of the report on `email`, and looks them up while the report
 * is pending. A domain that cannot exist has none, and needs no query.
 */
export async function addPolicies(
  email: string,
  pending: Promise<EmailReport>,
  lookupTxt: LookupTxt,
  signal?: AbortSignal,
): Promise<EmailReport> {
  const address = parseAddress(trimAddress(email));
  const domain = typeof address === 'string' ? null : address.domain;
  if (domain === null) return pending;
  const { hasKnownTld, isSpecialUse, registrable } = getDomainFacts(domain);
  if (!hasKnownTld || isSpecialUse) return pending;
  const [report, policies] = await Promise.all([
    pending,
    findPolicies(domain, registrable, lookupTxt, signal),
  ]);
  return report.details ? { ...report, details: { ...report.details, ...policies } } : report;
}

/** The policies for mail from a domain. */
interface MailPolicies {
  spf: SpfPolicy;
  dmarc: DmarcPolicy;
}

/**
 * Looks up the policies of a domain (A-labels). `organization` is its registrable domain, whose DMARC record
 * applies if it has none of its own (RFC 7489 §6.6.3); null for a public suffix.
 */
export async function findPolicies(
  domain: string,
  organization: string | null,
  lookupTxt: LookupTxt,
  signal?: AbortSignal,
): Promise<MailPolicies> {
  const [spf, dmarc] = await Promise.all([
    lookupTxt(domain, signal),
    findDmarc(domain, organization, lookupTxt, signal),
  ]);
  return { spf: parseSpf(spf), dmarc };
}

async function findDmarc(
  domain: string,
  organization: string | null,
  lookupTxt: LookupTxt,
  signal: AbortSignal | undefined,
): Promise<DmarcPolicy> {
  const own = await lookupTxt(`_dmarc.${domain}`, signal);
  const isAbsent = own.outcome === 'none' || (own.outcome === 'records' && !own.texts.some(isDmarc));
  if (!isAbsent || organization === null || organization === domain) return parseDmarc(own, domain);
  return parseDmarc(await lookupTxt(`_dmarc.${organization}`, signal), organization);
}
