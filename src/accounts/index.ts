/**
 * Accounts, API keys and plans: who may call. A key is shown once and stored as a digest. How people sign in
 * is `#accounts/sign-in`. Never names SQL (the stores arrive as interfaces), never counts requests, never
 * reads the clock.
 */
export type { ExportCursor, ExportPage, ExportRow } from './account.ts';
export { parseAccountEmail } from './account.ts';
export type { Account, AccountChanges, AccountListRequest, AccountStore } from './account.ts';
export { assertPlan, createAccount, findOrCreateAccount } from './create-account.ts';
export { isLiveKey, OPERATIONS, getKeyStatus } from './keys/api-key.ts';
export type {
  ApiKey,
  ApiKeyChanges,
  KeyGrant,
  KeyInsertion,
  KeyStore,
  KeyWatch,
  NewApiKey,
  Operation,
} from './keys/api-key.ts';
export { createKeyAuthenticator } from './keys/authenticate-key.ts';
export type { KeyAuthenticator } from './keys/authenticate-key.ts';
export type { Caller } from './keys/api-key.ts';
export { createKey, MAX_LIVE_KEYS, rotateKey } from './keys/create-key.ts';
export type { CreatedKey, RotatedKey } from './keys/create-key.ts';
export { parseKeyChanges, parseIsoTime } from './keys/create-key.ts';
export { createKeySecret, hashKeySecret, isKeySecret } from './keys/api-key.ts';
export { findPlan } from './account.ts';
export type { Plan, Plans } from './account.ts';
