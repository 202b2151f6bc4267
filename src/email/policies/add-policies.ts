import { parseAddress } from '../address/parse-address.ts';
import { trimAddress } from '../address/trim-address.ts';
import { getDomainFacts } from '../domain/domain-facts.ts';
import type { EmailReport } from '../email-report.ts';
import type { LookupTxt } from '../lookup-txt.ts';
import { findPolicies } from './find-policies.ts';

/**
 * Adds the policies of the domain to the details of the report on `email`, and looks them up while the report
 * is pending. A domain that cannot exist has none, and needs no query.
 */
export async function addPolicies(
  email: string,
  pending: EmailReport | Promise<EmailReport>,
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
