import type { ExportCursor, ExportPage } from './account-export.ts';

/** A person or a system that holds API keys. `plan` may name a plan that is no longer configured. */
export interface Account {
  id: string;
  /** Lower case, trimmed; unique. */
  email: string;
  emailVerified: boolean;
  plan: string;
  admin: boolean;
  /** A disabled account can neither sign in nor use its keys. */
  disabled: boolean;
  createdAtMs: number;
}

/** An account in an administrator's list. */
export interface AccountSummary extends Account {
  /** The number of keys that work now. */
  liveKeys: number;
  lastUsedAtMs: number | null;
}

export type AccountChanges = Partial<Pick<Account, 'plan' | 'admin' | 'disabled' | 'emailVerified'>>;

/**
 * A page of accounts, newest first: those whose email address contains `query`, older than the account
 * `beforeId`.
 */
export interface AccountListRequest {
  query?: string | undefined;
  beforeId?: string | undefined;
  limit: number;
  nowMs: number;
}

/** Stores accounts. All methods throw ApiError `unavailable` if the database fails. */
export interface AccountStore {
  findAccount(id: string): Promise<Account | null>;
  findAccountByEmail(email: string): Promise<Account | null>;
  /**
   * Stores the account, with a password if its hash is given. Returns false, and stores nothing, if the email
   * address belongs to another account.
   */
  insertAccount(account: Account, passwordHash?: string): Promise<boolean>;
  /**
   * Returns the account after the change, null if it does not exist. Throws `invalid_parameter` if no
   * administrator would be left who can sign in, also if several changes at once would do it together.
   */
  updateAccount(id: string, changes: AccountChanges, nowMs: number): Promise<Account | null>;
  /**
   * Makes the account an administrator if there is none who can sign in. Returns false if there is one: of
   * concurrent calls, one succeeds.
   */
  makeFirstAdmin(id: string, nowMs: number): Promise<boolean>;
  listAccounts(request: AccountListRequest): Promise<AccountSummary[]>;
  /** Checks whether there is an administrator who can sign in. */
  hasAdmin(): Promise<boolean>;
  /** Returns the number of accounts by plan name. */
  countAccountsByPlan(): Promise<Map<string, number>>;
  /**
   * Deletes the account with its keys, sessions and audit trail in one transaction, then its usage. Returns
   * false, and deletes nothing, if it does not exist or if `passwordHash` is given and is not the stored one.
   * Throws `invalid_parameter` if no administrator would be left who can sign in.
   */
  deleteAccount(id: string, passwordHash?: string): Promise<boolean>;
  /** Loads a page of all data of the account, beginning with section 0. */
  loadExportPage(id: string, cursor: ExportCursor): Promise<ExportPage>;
}

const EMAIL = /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]{0,63}[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/**
 * Parses an email address that an account can have: trimmed, lower case. Returns null for any other text.
 * Accepts only ASCII: the address identifies an account, no mailbox is validated here.
 */
export function parseAccountEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && EMAIL.test(email) ? email : null;
}
