/**
 * Who may call: accounts, API keys and plans. Keys are shown once and stored as digests; accounts sign in
 * with email and password. Never names SQL (stores arrive as interfaces), never counts requests, never reads
 * the clock.
 */
export type {
  AccessStore,
  AuditEvent,
  AuditEventName,
  Invitation,
  PasswordReset,
  PasswordResetResult,
  SessionSummary,
} from './access-store.ts';
export { parseAccountEmail } from './account.ts';
export type { Account, AccountChanges, AccountListRequest, AccountStore, AccountSummary } from './account.ts';
export { isLiveKey, OPERATIONS, readKeyStatus } from './api-key.ts';
export type {
  ApiKey,
  ApiKeyChanges,
  InsertedKey,
  KeyGrant,
  KeyInsertion,
  KeyRefusal,
  KeyStatus,
  KeyStore,
  NewApiKey,
  Operation,
} from './api-key.ts';
export { createKeyAuthenticator } from './authenticate-key.ts';
export type { Caller, KeyAuthenticator, KeyAuthenticatorOptions } from './authenticate-key.ts';
export { isClientAllowed, parseClientCidr } from './client-networks.ts';
export { checkPlan, createAccount, findOrCreateAccount } from './create-account.ts';
export type { NewAccountRequest } from './create-account.ts';
export { createKeySecret, hashKeySecret, isKeySecret } from './key-secret.ts';
export { checkKeyChanges, createKey, MAX_LIVE_KEYS, rotateKey } from './manage-keys.ts';
export type { CreatedKey, NewKeyRequest, RotatedKey } from './manage-keys.ts';
export { parseIsoTime } from './parse-iso-time.ts';
export { findPlan, getDefaultPlanName } from './plans.ts';
export type { Plan, Plans } from './plans.ts';
export { recordAudit } from './access/access-context.ts';
export type { AccessContext, Client, Session } from './access/access-context.ts';
export { changePassword, deleteAccount } from './access/change-password.ts';
export { createAccess } from './access/create-access.ts';
export type { AccessOptions } from './access/create-access.ts';
export { findResetAccount, requestPasswordReset, resetPassword } from './access/reset-password.ts';
export {
  clearCookies,
  listSessions,
  readSession,
  signIn,
  signOut,
  signOutEverywhere,
} from './access/sign-in.ts';
export type { SignedIn } from './access/sign-in.ts';
export { createInvite, createSetupLink, setUp, signUp } from './access/sign-up.ts';
export type { SignUpRequest } from './access/sign-up.ts';
export { resendVerification, verifyEmail } from './access/verify-email.ts';
export { createMailSender } from './mail/send-mail.ts';
export type { Mail, MailOptions, SendMail } from './mail/send-mail.ts';
