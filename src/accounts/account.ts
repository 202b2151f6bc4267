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
  /** True if it signed up by itself, and neither a mail, an identity provider nor an operator verified it. */
  unproven: boolean;
  /** When the keys of an unproven account were disabled; null if they work. */
  keysDisabledAtMs: number | null;
  createdAtMs: number;
}

/** An account in an administrator's list. */
interface AccountSummary extends Account {
  /** The number of keys that work now. */
  liveKeys: number;
  lastUsedAtMs: number | null;
}

export type AccountChanges = Partial<
  Pick<Account, 'plan' | 'admin' | 'disabled' | 'emailVerified' | 'keysDisabledAtMs'>
>;

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
   * administrator would be left who can sign in, also if several simultaneous changes would do so only
   * together.
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
   * Throws `invalid_parameter` if no administrator would be left who can sign in. With `isUnproven`, deletes
   * the account only while it is unproven.
   */
  deleteAccount(id: string, passwordHash?: string, isUnproven?: boolean): Promise<boolean>;
  /**
   * Counts a day without use of each unproven account, once by all processes. A use begins again at 0, unless
   * the keys are disabled. A clock that jumps ahead counts one day, and takes it back if it jumps back.
   * Returns the counted accounts with at least `minDays`.
   */
  countIdleDays(
    minDays: number,
    nowMs: number,
  ): Promise<(Pick<Account, 'id' | 'email' | 'keysDisabledAtMs'> & { idleDays: number })[]>;
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

/** The data of an account that its holder downloads, in sections and pages of bounded size. */
export interface ExportPage {
  /** The name of the section; a section without rows has one empty page. */
  section: string;
  rows: readonly ExportRow[];
  /** The place of the next page, null at the end. */
  next: ExportCursor | null;
}

/** A row as JSON: times in ISO 8601. Contains no secret and no digest of one. */
export type ExportRow = Readonly<Record<string, unknown>>;

/** The place of a page: the number of its section, and the key of the last row before it. */
export interface ExportCursor {
  section: number;
  after: readonly unknown[] | null;
}

/** The limits of an account on a plan. */
export interface Plan {
  /** Requests per clock minute and key. */
  readonly limitPerMinute: number;
  /** Browser pages that an account can use at a time; null if `shares/` derives them from the machine. */
  readonly slots: number | null;
  /** Its part of what is shared, beside the weights of others; by default `slots`. */
  readonly weight?: number | undefined;
  /** Units per calendar month and account; undefined if they are not limited. */
  readonly monthlyQuota?: number | undefined;
}

/** The operator's plans by name; the first is the plan of new accounts. Never empty. */
export type Plans = ReadonlyMap<string, Plan>;

/** Returns the name of the plan that new accounts get. */
export function getDefaultPlanName(plans: Plans): string {
  const [first] = plans.keys();
  if (first === undefined) throw new Error('There must be at least one plan.');
  return first;
}

/**
 * Returns the plan of this name. A plan that is no longer configured has the smallest limit and the smallest
 * concurrency of all plans: its accounts keep working, and none gets more than was sold to it.
 */
export function findPlan(plans: Plans, name: string): Plan {
  return plans.get(name) ?? computeSmallestPlan(plans);
}

function computeSmallestPlan(plans: Plans): Plan {
  const all = [...plans.values()];
  // A number allows no more than null or undefined does.
  const [slots, weight, monthlyQuota] = (['slots', 'weight', 'monthlyQuota'] as const).map((name) => {
    const known = all.map((plan) => plan[name]).filter((value) => value !== null && value !== undefined);
    return known.length > 0 ? Math.min(...known) : undefined;
  });
  const limitPerMinute = Math.min(...all.map((plan) => plan.limitPerMinute));
  return { limitPerMinute, slots: slots ?? null, weight, monthlyQuota };
}
