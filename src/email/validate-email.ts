import type { DomainFacts } from './domain/domain-facts.ts';
import type { DomainLists } from './lists/domain-lists.ts';
import { type DomainProfile, readDomainProfile } from './domain-profile.ts';
import { readDetails } from './email-details.ts';
import type { EmailReason, EmailReport, ValidateEmailRequest } from './email-report.ts';
import type { LookupMail, MailFacts } from './lookup-mail.ts';
import { judgeMail, type MailVerdict } from './domain/mail-verdict.ts';
import { isDisposableMail } from './lists/disposable-domain.ts';
import { type AddressFault, type MailAddress, parseAddress } from './address/parse-address.ts';
import { isLongText, readDomainAsGiven, readDomainInSlices } from './domain/typed-domain.ts';
import { suggestAddress, suggestRepair } from './suggest/suggest-address.ts';
import { trimAddress } from './address/trim-address.ts';

/** What the operation needs from outside: the DNS look-up and the lists. */
export interface ValidateEmailDeps {
  lookupMail: LookupMail;
  lists: DomainLists;
}

const NOT_CHECKED: MailVerdict = { status: 'not_checked', refuses: false, reason: null, exchanges: [] };

/** IANA publishes a null MX for these three (RFC 2606 §3); known without asking, so the answer holds off-line too. */
const NULL_MX_DOMAINS: ReadonlySet<string> = new Set(['example.com', 'example.net', 'example.org']);
const NULL_MX: MailFacts = { outcome: 'mx', exchanges: [{ exchange: '', priority: 0 }] };

/**
 * Answers whether an address is usable: syntax, domain facts, MX records by `deps.lookupMail`, and a correction of a likely typo.
 * At once where nothing has to be asked of a text of usual length, else by a promise, which rejects only with the reason of an aborted `signal`; an address that
 * is none is an answer.
 */
export function validateEmail(
  request: ValidateEmailRequest,
  deps: ValidateEmailDeps,
  signal?: AbortSignal,
): EmailReport | Promise<EmailReport> {
  if (signal?.aborted) return Promise.reject(signal.reason as Error);
  const email = trimAddress(request.email);
  const address = parseAddress(email);
  if (typeof address === 'string') {
    const reportDomain = (domain: string): EmailReport =>
      reportMalformed(email, domain, address, request, deps);
    return isLongText(email)
      ? readDomainInSlices(email).then(reportDomain)
      : reportDomain(readDomainAsGiven(email));
  }
  const { domain } = address;
  if (domain === null) return report(email, address, null, NOT_CHECKED, request, deps);
  const profile = readDomainProfile(domain, deps.lists);
  const canExist = profile.facts.hasKnownTld && !profile.facts.isSpecialUse;
  if (!canExist || !request.checkMx) return report(email, address, profile, NOT_CHECKED, request, deps);
  const judge = (facts: MailFacts): EmailReport =>
    report(email, address, profile, judgeMail(facts), request, deps);
  const facts = lookUp(domain, deps, signal);
  return facts instanceof Promise ? facts.then(judge) : judge(facts);
}

function lookUp(
  domain: string,
  deps: ValidateEmailDeps,
  signal?: AbortSignal,
): MailFacts | Promise<MailFacts> {
  return NULL_MX_DOMAINS.has(domain) ? NULL_MX : deps.lookupMail(domain, signal);
}

function report(
  email: string,
  address: MailAddress,
  profile: DomainProfile | null,
  verdict: MailVerdict,
  request: ValidateEmailRequest,
  { lists }: ValidateEmailDeps,
): EmailReport {
  const reason = readReason(profile?.facts ?? null, verdict);
  const disposable = profile !== null && isDisposable(profile, verdict, lists);
  const suggestion =
    request.suggest && profile !== null && !disposable
      ? suggestAddress(address.localPart, profile.readSuggestion(verdict.refuses), verdict)
      : null;
  const answer: EmailReport = {
    email,
    valid: reason === 'ok' || verdict.status === 'unknown',
    disposable,
    mxFound: verdict.status === 'found',
    formatValid: true,
    didYouMean: suggestion?.address ?? null,
    domain: readDomainAsGiven(email),
    freeProvider: profile?.isFree ?? false,
  };
  if (request.details) answer.details = readDetails(address, verdict, reason, suggestion, lists);
  return answer;
}

function isDisposable(profile: DomainProfile, verdict: MailVerdict, lists: DomainLists): boolean {
  if (profile.isDisposable || profile.isNeverDisposable) return profile.isDisposable;
  return isDisposableMail(verdict.exchanges, lists);
}

function readReason(facts: DomainFacts | null, verdict: MailVerdict): EmailReason {
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
  const answer: EmailReport = {
    email,
    valid: false,
    disposable: false,
    mxFound: false,
    formatValid: false,
    didYouMean: suggestion?.address ?? null,
    domain,
    freeProvider: false,
  };
  if (request.details) answer.details = readDetails(null, NOT_CHECKED, fault, suggestion, deps.lists);
  return answer;
}
