import { isPlaceholder, isRole, normalizeAddress, splitLocalPart } from './address/normalize-address.ts';
import { hasPasteMarks } from './address/paste-marks.ts';
import type { MailAddress } from './address/parse-address.ts';
import type { DomainProfile, EmailCache } from './email-cache.ts';
import type { MailVerdict } from './domain/mail-verdict.ts';
import type { EmailDetails, EmailReason } from './email-report.ts';
import type { DomainLists } from './lists/domain-lists.ts';
import type { Suggestion } from './suggest/suggest-address.ts';
import { computeEmailVerdict, type EmailVerdict } from './verdict/email-verdict.ts';
import { computeHostTraits } from './verdict/host-traits.ts';

/** The findings about an address from which its details are computed. */
export interface Findings {
  /** The text. */
  email: string;
  /** Null if the text is malformed. */
  address: MailAddress | null;
  /** Null without a domain. */
  profile: DomainProfile | null;
  mail: MailVerdict;
  reason: EmailReason;
  disposable: boolean;
  suggestion: Suggestion | null;
}

/** The findings that only the details need. */
interface Traits {
  role: boolean;
  relay: boolean;
  parked: boolean;
}

/** Builds the details of a report, without the policies of the domain. */
export function buildDetails(findings: Findings, lists: DomainLists, cache?: EmailCache): EmailDetails {
  const { address, profile, mail, reason, suggestion } = findings;
  const hosts = cache?.getHostTraits(mail.exchanges) ?? computeHostTraits(mail.exchanges);
  const parts = address === null ? null : splitLocalPart(address);
  const traits: Traits = {
    role: parts !== null && isRole(parts.user, lists.roles),
    relay: profile !== null && (profile.isRelay || hosts.isRelay),
    parked: hosts.isParked,
  };
  return {
    ...judge(findings, traits),
    mxStatus: mail.status,
    reason,
    normalized: address === null ? null : normalizeAddress(address, hosts.hasTags),
    localPart: parts?.user ?? null,
    subAddress: parts?.tag ?? null,
    ...traits,
    disposableEvidence: findEvidence(findings),
    provider: hosts.provider,
    mxRecords: mail.exchanges,
    spf: null,
    dmarc: null,
    suggestionConfidence: suggestion?.confidence ?? null,
  };
}

/** Finds the evidence about the domain, and that of its mail hosts if they alone make it disposable. */
function findEvidence({ profile, disposable }: Findings): EmailDetails['disposableEvidence'] {
  const found = profile?.listEvidence() ?? [];
  if (!disposable || profile?.grade === 'disposable') return found;
  return [...found, { source: 'mail_hosts', says: 'disposable', date: null }];
}

function judge(
  { email, address, profile, mail, disposable, suggestion }: Findings,
  { role, relay, parked }: Traits,
): EmailVerdict {
  const canExist = profile?.facts.hasKnownTld === true && !profile.facts.isSpecialUse;
  return computeEmailVerdict({
    malformed: address === null,
    impossible_domain: address !== null && !canExist,
    no_mail: mail.refuses,
    disposable,
    parked,
    provider_closed: profile?.isClosed === true,
    placeholder: isPlaceholder(email, profile?.facts.registrable ?? null),
    typo: suggestion !== null,
    paste_mark: hasPasteMarks(email),
    // The mail of a customer's domain at a relay is forwarded: such a domain is listed by mistake.
    suspected_disposable: profile?.grade === 'suspected' && !disposable && !relay,
    no_mx: mail.status === 'implicit',
    dns_failed: mail.status === 'unknown',
    not_checked: canExist && mail.status === 'not_checked',
    role,
    relay,
  });
}
