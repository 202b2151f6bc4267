import type { BetterAuthOptions, DBAdapter } from 'better-auth/types';

/** A session in the list that its owner sees. */
interface SessionSummary {
  id: string;
  createdAtMs: number;
  lastSeenAtMs: number;
  userAgent: string;
  /** The IP address of the sign-in; null if it is not known. */
  ip: string | null;
}

/**
 * A link that invites to sign up, creates the first administrator (`setup`), resets a password or verifies an
 * email address.
 */
export interface Link {
  tokenHash: string;
  purpose: 'invite' | 'reset' | 'setup' | 'verify';
  /** The email address that the link is limited to; null for any. */
  email: string | null;
  expiresAtMs: number;
  createdAtMs: number | null;
  /**
   * The administrator (an account id) or OPERATOR who hands the link over; null if the service mails it. A
   * reset by a link that was handed over proves no address.
   */
  createdBy: string | null;
  /** When an invitation was used, which ends it; other links are deleted by their use. */
  usedAtMs: number | null;
}

/** A link to store. Without `createdBy` the service mails it. */
export type NewLink = Omit<Link, 'createdAtMs' | 'createdBy' | 'usedAtMs'> &
  Partial<Pick<Link, 'createdAtMs' | 'createdBy'>>;

/** The creator of links that the command line prints. */
export const OPERATOR = 'operator';

/** An entry of an account's audit trail, which its owner reads. */
export interface AuditEvent {
  id: string;
  accountId: string;
  event: AuditEventName;
  /** A short text for the reader, such as the name of a key. */
  detail: string;
  requestId: string | null;
  /** The IP address of the actor; null for operators, administrators of other accounts, and older events. */
  ip: string | null;
  atMs: number;
}

/** The origin of an event of the audit trail. */
export type AuditSource = Pick<AuditEvent, 'requestId' | 'ip'>;

/** The names of events. Names are added and not removed: stored events keep theirs. */
export const AUDIT_EVENTS = [
  'account.created',
  'account.deleted',
  'account.disabled',
  'account.deletion_failed',
  'account.enabled',
  'account.made_administrator',
  'account.plan_changed',
  'administrator.changed_account',
  'administrator.created_reset_link',
  'administrator.deleted_account',
  'administrator.revoked_key',
  'data.downloaded',
  'email.verified',
  'invitation.created',
  'invitation.revoked',
  'identity.linked',
  'identity.unlinked',
  'key.changed',
  'key.created',
  'key.grace_ended',
  'key.revoked',
  'key.rotated',
  'keys.disabled',
  'keys.revoked_by_reset',
  'password.change_failed',
  'password.changed',
  'password.reset',
  'password.reset_link_created',
  'password.reset_requested',
  'second_factor.disabled',
  'second_factor.enabled',
  'second_factor.failed',
  'second_factor.recovery_code_used',
  'second_factor.recovery_codes_replaced',
  'second_factor.reset',
  'session.ended',
  'session.ended_everywhere',
  'sign_in',
  'sign_in.failed',
  'sign_out',
  'sign_up.repeated',
] as const;

export type AuditEventName = (typeof AUDIT_EVENTS)[number];

/** A new password, authorized by the old one. */
export interface PasswordChange {
  email: string;
  oldHash: string;
  newHash: string;
  nowMs: number;
}

/** A new password, authorized by a mailed link. */
export interface PasswordReset {
  tokenHash: string;
  passwordHash: string;
  requestId: string;
  ip: string | null;
  nowMs: number;
}

export interface PasswordResetResult {
  accountId: string;
  /** The number of live keys that the reset revoked. */
  keysRevoked: number;
}

/**
 * Stores sessions, one-time links, the audit trail and generated secrets. All methods throw ApiError
 * `unavailable` if the database fails.
 */
export interface AccessStore extends SecondFactorStore, IdentityStore {
  /** Creates the adapter through which better-auth uses the tables. */
  authDatabase: (options: BetterAuthOptions) => DBAdapter;
  /** Returns sessions last seen after `seenAfterMs` and started after `startedAfterMs`, newest first. */
  listSessions(accountId: string, seenAfterMs: number, startedAfterMs: number): Promise<SessionSummary[]>;
  /** Returns false if the account has no such session. */
  deleteSession(accountId: string, sessionId: string): Promise<boolean>;
  deleteSessions(accountId: string): Promise<void>;
  /** Deletes all sessions of the account except one. */
  deleteOtherSessions(accountId: string, keptId: string): Promise<void>;
  /** Returns the hash of the account's password, null if the account or its password does not exist. */
  findPasswordHash(email: string): Promise<string | null>;
  /**
   * Changes the password, and deletes all sessions and reset links. Returns false, and changes nothing, if
   * the account's password no longer has the hash `oldHash`.
   */
  changePassword(change: PasswordChange): Promise<boolean>;
  /**
   * Sets the first password of an account that has none, and ends its sessions. Returns false, and changes
   * nothing, if it has a password.
   */
  insertFirstPassword(password: { accountId: string; passwordHash: string; nowMs: number }): Promise<boolean>;
  /**
   * Resets the password of the link's account. One transaction sets the password, deletes all sessions and
   * reset links, verifies the email address, writes the audit trail and, if the address was not verified
   * before, revokes all live keys. Returns null, and changes nothing, if the link was used or has expired.
   */
  resetPassword(reset: PasswordReset): Promise<PasswordResetResult | null>;
  insertLink(link: NewLink): Promise<void>;
  findLink(purpose: Link['purpose'], tokenHash: string, nowMs: number): Promise<Link | null>;
  /**
   * Deletes and returns the link, null if it does not exist, was used or has expired. Of concurrent callers,
   * one gets it. An invitation is marked as used instead.
   */
  useLink(purpose: Link['purpose'], tokenHash: string, nowMs: number): Promise<Link | null>;
  deleteLinks(purpose: Link['purpose']): Promise<void>;
  /** Returns a page of all invitations, newest first: also used and expired ones until they are pruned. */
  listInvitations(limit: number): Promise<Link[]>;
  /** Deletes an invitation that was not used. Returns false if there is none. */
  deleteInvitation(tokenHash: string): Promise<boolean>;
  insertAuditEvent(event: Omit<AuditEvent, 'id'>): Promise<void>;
  /** Returns a page of the audit trail, newest first. */
  listAuditEvents(accountId: string, beforeId: string | undefined, limit: number): Promise<AuditEvent[]>;
  /** Returns the time of the last event of this name in the account's audit trail, null if there is none. */
  findLastEvent(accountId: string, event: AuditEventName): Promise<number | null>;
  /** Returns the stored value; stores `candidate` if there is none. All processes get the same value. */
  findOrCreateSecret(name: string, candidate: string): Promise<string>;
  /**
   * Deletes expired sessions and links, and audit events, ended keys and invitations older than
   * `historyBeforeMs`.
   */
  pruneAccess(nowMs: number, historyBeforeMs: number): Promise<void>;
}

/** A confirmed second factor, as its owner sees it. */
interface SecondFactorSummary {
  recoveryCodesLeft: number;
}

/** Stores second factors. All methods throw ApiError `unavailable` if the database fails. */
interface SecondFactorStore {
  /** Returns the second factor of the account, null if it has none or has not confirmed it. */
  findSecondFactor(accountId: string): Promise<SecondFactorSummary | null>;
  /** Replaces the digests of the recovery codes. Returns false if there is no confirmed second factor. */
  replaceRecoveryCodes(accountId: string, hashes: readonly string[]): Promise<boolean>;
  /**
   * Turns the second factor off and ends sign-ins in progress; `endsSessions` ends all sessions too. Returns
   * false if there is none.
   */
  deleteSecondFactor(accountId: string, options: { endsSessions: boolean }): Promise<boolean>;
  /** Records that a code was used. Returns false if it was before: of concurrent callers, one succeeds. */
  useCode(code: { accountId: string; codeHash: string; expiresAtMs: number }): Promise<boolean>;
  /** Ends sign-ins of the account that wait for its second factor. */
  deletePendingSignIns(accountId: string): Promise<void>;
}

/** Stores the identities of a sign-in provider that belong to accounts. */
interface IdentityStore {
  /** Returns the account id of the provider's subject, null if it belongs to no account. */
  findIdentityAccount(providerId: string, subject: string): Promise<string | null>;
  /** Returns the time when the account was linked to the provider, null if it is not. */
  findIdentityTime(accountId: string, providerId: string): Promise<number | null>;
  /** Unlinks the account from the provider. Returns false if it was not linked. */
  deleteIdentity(accountId: string, providerId: string): Promise<boolean>;
}
