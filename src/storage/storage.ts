import type { AccountStore, KeyStore, KeyWatch } from '#accounts';
import type { AccessStore } from '#accounts/sign-in';
import type { QuotaStore } from '#limits';
import type { UsageStore } from '#usage';

/** A state of the database that its operator has to change. The message says how. */
export class StorageStateError extends Error {
  override name = 'StorageStateError';
}

/** The stores of one database. */
export interface Storage {
  /** The kind and the place of the database, for the log. Contains no password. */
  description: string;
  accounts: AccountStore;
  keys: KeyStore;
  access: AccessStore;
  usage: UsageStore;
  quotas: QuotaStore;
  /**
   * Calls `listener` after keys, accounts or plans have changed: immediately for changes by this process,
   * within a second for changes by others. `accountId` is null if any account may have changed.
   */
  onKeyChange(listener: (accountId: string | null) => void): void;
  /** Returns the watch over the changes of other processes. */
  getKeyWatch(): KeyWatch;
  /** Resolves to true if a query succeeds now, to false within about a second otherwise. */
  isHealthy(): Promise<boolean>;
  /** Returns the size of the database; null if it is not known. */
  loadSizeBytes(): Promise<number | null>;
  close(): Promise<void>;
}

/** A set of listeners for changes of keys. */
interface KeyChangeListeners {
  add(listener: (accountId: string | null) => void): void;
  notify(accountId: string | null): void;
}

export function createKeyChangeListeners(): KeyChangeListeners {
  const listeners = new Set<(accountId: string | null) => void>();
  return {
    add: (listener) => void listeners.add(listener),
    notify: (accountId) => {
      for (const listener of listeners) listener(accountId);
    },
  };
}
