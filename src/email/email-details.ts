import type { DomainLists } from './lists/domain-lists.ts';
import type { EmailDetails, EmailReason } from './email-report.ts';
import type { MailVerdict } from './domain/mail-verdict.ts';
import { normalizeAddress, splitLocalPart } from './address/normalize-address.ts';
import type { MailAddress } from './address/parse-address.ts';
import type { Suggestion } from './suggest/suggest-address.ts';

/** Collects the details of an address (null: it is not one). */
export function readDetails(
  address: MailAddress | null,
  verdict: MailVerdict,
  reason: EmailReason,
  suggestion: Suggestion | null,
  lists: DomainLists,
): EmailDetails {
  const parts = address === null ? null : splitLocalPart(address);
  return {
    mxStatus: verdict.status,
    reason,
    normalized: address === null ? null : normalizeAddress(address),
    localPart: parts?.user ?? null,
    subAddress: parts?.tag ?? null,
    role: parts !== null && lists.roles.has(parts.user.toLowerCase()),
    mxRecords: verdict.exchanges,
    suggestionConfidence: suggestion?.confidence ?? null,
  };
}
