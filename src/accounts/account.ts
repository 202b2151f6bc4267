/** A person or a system that holds API keys. The plan belongs to the account; `plan` may name one that is no longer configured. */
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

/** An account as an administrator sees it in a list. */
export interface AccountSummary extends Account {
  /** Keys that work now. */
  liveKeys: number;
  lastUsedAtMs: number | null;
}

export type AccountChanges = Partial<Pick<Account, 'plan' | 'admin' | 'disabled' | 'emailVerified'>>;

/** One page of a list of accounts, newest first: those whose address contains `query`, older than the account `beforeId`. */
export interface AccountListRequest {
  query?: string | undefined;
  beforeId?: string | undefined;
  limit: number;
  nowMs: number;
}

/** Keeps accounts. Every method throws ApiError `unavailable` where the database cannot answer. */
export interface AccountStore {
  findAccount(id: string): Promise<Account | null>;
  findAccountByEmail(email: string): Promise<Account | null>;
  /** False where the address is taken; nothing is stored then. */
  insertAccount(account: Account): Promise<boolean>;
  /** The account after the change, or null where there is none. */
  updateAccount(id: string, changes: AccountChanges, nowMs: number): Promise<Account | null>;
  listAccounts(request: AccountListRequest): Promise<AccountSummary[]>;
  hasAdmin(): Promise<boolean>;
  /** Accounts by the name of their plan. */
  countAccountsByPlan(): Promise<Map<string, number>>;
  /** Removes the account with its keys, sessions and audit trail in one transaction, and then its usage. False where there is none. */
  deleteAccount(id: string): Promise<boolean>;
}

const EMAIL = /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]{0,63}[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** Trims and lower-cases an address that can sign in; null where it is none. ASCII alone: it is a name to sign in with, not a mailbox to judge. */
export function parseAccountEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && EMAIL.test(email) ? email : null;
}
