import { normalizeAddress, splitLocalPart } from './address/normalize-address.ts';
import type { MailAddress } from './address/parse-address.ts';
import type { MailVerdict } from './domain/mail-verdict.ts';
import type { EmailDetails, EmailReason } from './email-report.ts';
import type { DomainLists } from './lists/domain-lists.ts';
import type { Suggestion } from './suggest/suggest-address.ts';

/** Builds the details of a report; `address` is null if the text is malformed. */
export function buildDetails(
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
