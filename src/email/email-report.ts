import type { MailExchange } from './lookup-mail.ts';
import type { MailReason, MxStatus } from './domain/mail-verdict.ts';
import type { AddressFault } from './address/parse-address.ts';

/** What is asked. `email` may hold anything and is trimmed; `details` adds the member of that name to the report. */
export interface ValidateEmailRequest {
  email: string;
  checkMx: boolean;
  suggest: boolean;
  details: boolean;
}

/** The answer: the contract's members in camelCase, `details` only where they were asked for. */
export interface EmailReport {
  email: string;
  valid: boolean;
  disposable: boolean;
  mxFound: boolean;
  formatValid: boolean;
  didYouMean: string | null;
  domain: string;
  freeProvider: boolean;
  details?: EmailDetails;
}

/** Why `valid` is what it is: `ok`, what is wrong, or (`dns_…`, which leaves `valid` true) why nobody could tell. */
export type EmailReason =
  | 'ok'
  | AddressFault
  | 'address_literal'
  | 'special_use_domain'
  | 'unknown_tld'
  | MailReason;

/** What goes beyond the contract, on request. Members of an address that is none are null, false or empty. */
export interface EmailDetails {
  mxStatus: MxStatus;
  reason: EmailReason;
  /** The mailbox behind the spelling: one form for all addresses that reach it, by the rules its provider publishes. */
  normalized: string | null;
  /** The local part without its sub-address, as given. */
  localPart: string | null;
  /** The tag after `+` (RFC 5233), or after the provider's own separator. */
  subAddress: string | null;
  /** Whether the local part names a function (postmaster, sales), not a person. */
  role: boolean;
  mxRecords: readonly MailExchange[];
  /** 0 to 1; null without a suggestion. */
  suggestionConfidence: number | null;
}
