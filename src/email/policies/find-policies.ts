import type { LookupTxt } from '../lookup-txt.ts';
import { type DmarcPolicy, isDmarc, parseDmarc } from './parse-dmarc.ts';
import { parseSpf, type SpfPolicy } from './parse-spf.ts';

/** The policies for mail from a domain. */
export interface MailPolicies {
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
