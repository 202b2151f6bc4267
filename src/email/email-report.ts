import type { AddressFault } from './address/parse-address.ts';
import type { MailReason, MxStatus } from './domain/mail-verdict.ts';
import type { Evidence } from './lists/evidence.ts';
import type { MailExchange } from './lookup-mail.ts';
import type { DmarcPolicy, SpfPolicy } from './policies/parse-policies.ts';
import type { Verdict, VerdictReason } from './verdict/email-verdict.ts';

/** The result of a validation: the members of the HTTP contract in camelCase. */
export interface EmailReport {
  email: string;
  valid: boolean;
  disposable: boolean;
  mxFound: boolean;
  formatValid: boolean;
  didYouMean: string | null;
  domain: string;
  freeProvider: boolean;
  /** Present only if the request has `details`. */
  details?: EmailDetails;
}

/** The reason for `valid`: `ok`, a fault, or `dns_…` if the lookup failed (then `valid` stays true). */
export type EmailReason =
  | 'ok'
  | AddressFault
  | 'address_literal'
  | 'special_use_domain'
  | 'unknown_tld'
  | MailReason;

/** The members beyond the contract. If the address is malformed, they are null, false or empty. */
export interface EmailDetails {
  /** The judgment of the address as a whole. */
  verdict: Verdict;
  /** The reasons of the verdict, worst first. */
  reasons: readonly VerdictReason[];
  /** 0 to 1: the product of the scores of the reasons. */
  score: number;
  mxStatus: MxStatus;
  reason: EmailReason;
  /**
   * One form for all addresses that reach the same mailbox, by the rules that its provider publishes. With MX
   * records, also for other domains at Google Workspace and Microsoft 365.
   */
  normalized: string | null;
  /** The local part without its sub-address, as typed. */
  localPart: string | null;
  /** The tag after `+` (RFC 5233). */
  subAddress: string | null;
  /** True if the local part names a function (postmaster, sales), not a person. */
  role: boolean;
  /** True if the address is an alias at a relay service. */
  relay: boolean;
  /** True if the mail hosts of the domain belong to a parking service. */
  parked: boolean;
  /** The evidence that the domain or a parent is disposable, and that it is not. */
  disposableEvidence: readonly Pick<Evidence, 'source' | 'says' | 'date'>[];
  /** The operator of the best mail exchange; null if it is not known. */
  provider: string | null;
  mxRecords: readonly MailExchange[];
  /** Null if the request has no `policies`, or if no query is sent for the domain. */
  spf: SpfPolicy | null;
  dmarc: DmarcPolicy | null;
  /** 0 to 1; null without a suggestion. */
  suggestionConfidence: number | null;
}
