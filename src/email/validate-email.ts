import { type AddressFault, type MailAddress, parseAddress, trimAddress } from './address/parse-address.ts';
import { type DomainProfile, type EmailCache, buildDomainProfile } from './email-cache.ts';
import type { DomainFacts } from './domain/domain-facts.ts';
import { computeMailVerdict, type MailVerdict } from './domain/mail-verdict.ts';
import { getTypedDomain, getTypedDomainInSlices, isLongText } from './domain/parse-domain.ts';
import { buildDetails } from './email-details.ts';
import type { EmailReason, EmailReport } from './email-report.ts';
import type { ValidateEmailRequest } from './email-options.ts';
import { isDisposableMail } from './lists/disposable-domain.ts';
import type { DomainLists } from './lists/domain-lists.ts';
import type { LookupMail, LookupTxt, MailFacts } from './lookup-mail.ts';
import { addPolicies } from './policies/add-policies.ts';
import { suggestAddress, suggestRepair } from './suggest/suggest-address.ts';

/** The dependencies of a validation. */
export interface ValidateEmailDeps {
  lookupMail: LookupMail;
  /** Called for requests with `policies`; without it, they have no policies. */
  lookupTxt?: LookupTxt;
  lists: DomainLists;
  /** Shared by the validations of a process. Without it, a domain is described again for each address. */
  cache?: EmailCache;
}

const NOT_CHECKED: MailVerdict = { status: 'not_checked', refuses: false, reason: null, exchanges: [] };

/**
 * IANA publishes a null MX for these three (RFC 2606 §3). They need no query, so the result is the same
 * offline.
 */
const NULL_MX_DOMAINS: ReadonlySet<string> = new Set(['example.com', 'example.net', 'example.org']);
const NULL_MX: MailFacts = { outcome: 'mx', exchanges: [{ exchange: '', priority: 0 }] };

/**
 * Validates an address: syntax, domain facts, MX records by `deps.lookupMail`, and a suggestion for a likely
 * typo. Rejects only with the reason of an aborted `signal`: a malformed address is a report, not an error.
 */
export async function validateEmail(
  request: ValidateEmailRequest,
  deps: ValidateEmailDeps,
  signal?: AbortSignal,
): Promise<EmailReport> {
  signal?.throwIfAborted();
  const result = validateAddress(request, deps, signal);
  const { lookupTxt } = deps;
  if (request.policies !== true || lookupTxt === undefined) return result;
  const lookup: LookupTxt = (name, held) => lookupTxt(name, held, request.timeoutMs);
  return addPolicies(request.email, result, lookup, signal);
}

/** Validates an address without the policies of its domain. */
async function validateAddress(
  request: ValidateEmailRequest,
  deps: ValidateEmailDeps,
  signal?: AbortSignal,
): Promise<EmailReport> {
  const email = trimAddress(request.email);
  const address = parseAddress(email);
  if (typeof address === 'string') {
    const domain = isLongText(email) ? await getTypedDomainInSlices(email) : getTypedDomain(email);
    return reportMalformed(email, domain, address, request, deps);
  }
  const { domain } = address;
  if (domain === null) return report(email, address, null, NOT_CHECKED, request, deps);
  const { cache, lists } = deps;
  const profile = cache?.getProfile(domain, lists) ?? buildDomainProfile(domain, lists);
  const canExist = profile.facts.hasKnownTld && !profile.facts.isSpecialUse;
  if (!canExist || !request.checkMx) return report(email, address, profile, NOT_CHECKED, request, deps);
  const facts = NULL_MX_DOMAINS.has(domain)
    ? NULL_MX
    : await deps.lookupMail(domain, signal, request.timeoutMs);
  const verdict = cache?.getVerdict(facts) ?? computeMailVerdict(facts);
  return report(email, address, profile, verdict, request, deps);
}

function report(
  email: string,
  address: MailAddress,
  profile: DomainProfile | null,
  verdict: MailVerdict,
  request: ValidateEmailRequest,
  { lists, cache }: ValidateEmailDeps,
): EmailReport {
  const reason = getReason(profile?.facts ?? null, verdict);
  const disposable = profile !== null && isDisposable(profile, verdict, lists);
  // A suspected domain is corrected as any other: one unproven source may well name a misspelling.
  const suggestion =
    request.suggest && profile !== null && !disposable
      ? suggestAddress(email, profile.getSuggestion(verdict.refuses), verdict, lists)
      : null;
  const result: EmailReport = {
    email,
    valid: reason === 'ok' || verdict.status === 'unknown',
    disposable,
    mxFound: verdict.status === 'found',
    formatValid: true,
    didYouMean: suggestion?.address ?? null,
    domain: getTypedDomain(email),
    freeProvider: profile?.isFree ?? false,
  };
  if (request.details) {
    const findings = { email, address, profile, mail: verdict, reason, disposable, suggestion };
    result.details = buildDetails(findings, lists, cache);
  }
  return result;
}

function isDisposable(profile: DomainProfile, verdict: MailVerdict, lists: DomainLists): boolean {
  if (profile.grade === 'never' || profile.grade === 'disposable') return profile.grade === 'disposable';
  return isDisposableMail(verdict.exchanges, lists) && !profile.isNeverDisposable();
}

function getReason(facts: DomainFacts | null, verdict: MailVerdict): EmailReason {
  if (facts === null) return 'address_literal';
  if (facts.isSpecialUse) return 'special_use_domain';
  if (!facts.hasKnownTld) return 'unknown_tld';
  return verdict.reason ?? 'ok';
}

function reportMalformed(
  email: string,
  domain: string,
  fault: AddressFault,
  request: ValidateEmailRequest,
  deps: ValidateEmailDeps,
): EmailReport {
  const suggestion = request.suggest ? suggestRepair(email, deps.lists) : null;
  const result: EmailReport = {
    email,
    valid: false,
    disposable: false,
    mxFound: false,
    formatValid: false,
    didYouMean: suggestion?.address ?? null,
    domain,
    freeProvider: false,
  };
  if (request.details) {
    const nothing = { email, address: null, profile: null, mail: NOT_CHECKED, disposable: false };
    result.details = buildDetails({ ...nothing, reason: fault, suggestion }, deps.lists);
  }
  return result;
}
