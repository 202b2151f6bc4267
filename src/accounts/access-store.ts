import type { Account } from './account.ts';
import type { BetterAuthOptions, DBAdapter } from 'better-auth/types';

/** A signed-in browser as its owner sees it. */
export interface SessionSummary {
  id: string;
  createdAtMs: number;
  lastSeenAtMs: number;
  userAgent: string;
}

/** A link that works once: an invitation to sign up, or the set-up of the first administrator. */
export interface Invitation {
  tokenHash: string;
  purpose: 'invite' | 'setup';
  /** The only address that may use it; null for any. */
  email: string | null;
  expiresAtMs: number;
}

/** One thing that happened to an account, for its owner to read. */
export interface AuditEvent {
  id: string;
  accountId: string;
  event: AuditEventName;
  /** A short text for people, such as the name of a key. */
  detail: string;
  requestId: string | null;
  atMs: number;
}

export type AuditEventName =
  | 'account.created'
  | 'account.deleted'
  | 'account.disabled'
  | 'account.deletion_failed'
  | 'account.enabled'
  | 'account.made_administrator'
  | 'account.plan_changed'
  | 'email.verified'
  | 'key.changed'
  | 'key.created'
  | 'key.grace_ended'
  | 'key.revoked'
  | 'key.rotated'
  | 'keys.revoked_by_reset'
  | 'password.change_failed'
  | 'password.changed'
  | 'password.reset'
  | 'password.reset_requested'
  | 'session.ended'
  | 'session.ended_everywhere'
  | 'sign_in'
  | 'sign_in.failed'
  | 'sign_out'
  | 'sign_up.repeated';

/** A new password, by the token of a mailed link. */
export interface PasswordReset {
  token: string;
  passwordHash: string;
  requestId: string;
  nowMs: number;
}

export interface PasswordResetResult {
  accountId: string;
  /** How many live keys the reset revoked. */
  keysRevoked: number;
}

/** Keeps what signing in needs besides accounts. Every method throws ApiError `unavailable` where the database cannot answer. */
export interface AccessStore {
  /** The tables as better-auth reads and writes them, on the injected clock. */
  authDatabase: (options: BetterAuthOptions) => DBAdapter;
  /** Sessions seen after `aliveSinceMs` and begun after `begunSinceMs`, newest first. */
  listSessions(accountId: string, aliveSinceMs: number, begunSinceMs: number): Promise<SessionSummary[]>;
  /** False where the account has no such session. */
  deleteSession(accountId: string, sessionId: string): Promise<boolean>;
  deleteSessions(accountId: string): Promise<void>;
  findSessionOwner(sessionId: string): Promise<{ account: Account; startedAtMs: number } | null>;
  /** The id of the account that a link to reset a password was made for; null where it was used or has expired. */
  findResetAccount(token: string, nowMs: number): Promise<string | null>;
  /**
   * Sets the password of the link's account, in one transaction with all that a reset does: it ends every
   * session and every link to reset the password, verifies the address, writes the audit trail and, if the
   * address had not been verified before, revokes all live keys. Null if the link was used or has expired;
   * nothing is changed then.
   */
  resetPassword(reset: PasswordReset): Promise<PasswordResetResult | null>;
  /** Ends every link to reset the account's password. */
  deleteResetLinks(accountId: string): Promise<void>;
  insertInvitation(invitation: Invitation): Promise<void>;
  findInvitation(tokenHash: string, nowMs: number): Promise<Invitation | null>;
  /** The invitation, which is gone then; null where it does not exist or has expired. One caller gets it. */
  useInvitation(tokenHash: string, nowMs: number): Promise<Invitation | null>;
  deleteInvitations(purpose: Invitation['purpose']): Promise<void>;
  insertAuditEvent(event: Omit<AuditEvent, 'id'>): Promise<void>;
  /** Newest first. */
  listAuditEvents(accountId: string, beforeId: string | undefined, limit: number): Promise<AuditEvent[]>;
  /** The value stored under the name; `candidate` becomes it where there is none. All processes get the same. */
  readSecret(name: string, candidate: string): Promise<string>;
  /** Forgets ended sessions and links, and what is older than `historyBeforeMs`: audit events and keys that ended. */
  pruneAccess(nowMs: number, historyBeforeMs: number): Promise<void>;
}
