/** A confirmed second factor, as its owner sees it. */
export interface SecondFactorSummary {
  recoveryCodesLeft: number;
}

/** Stores second factors. All methods throw ApiError `unavailable` if the database fails. */
export interface SecondFactorStore {
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
export interface IdentityStore {
  /** Returns the account id of the provider's subject, null if it belongs to no account. */
  findIdentityAccount(providerId: string, subject: string): Promise<string | null>;
  /** Returns the time when the account was linked to the provider, null if it is not. */
  findIdentityTime(accountId: string, providerId: string): Promise<number | null>;
  /** Unlinks the account from the provider. Returns false if it was not linked. */
  deleteIdentity(accountId: string, providerId: string): Promise<boolean>;
}
