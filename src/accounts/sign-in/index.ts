/**
 * Sign-up, sign-in and recovery of accounts: sessions, passwords, mails and the throttles against guessing.
 * Sessions belong to better-auth. Never names SQL (the stores arrive as interfaces), and reads the clock only
 * through better-auth.
 */
export { AUDIT_EVENTS, OPERATOR } from '../access-store.ts';
export type {
  AccessStore,
  AuditEvent,
  AuditEventName,
  AuditSource,
  Link,
  NewLink,
  PasswordChange,
  PasswordReset,
  PasswordResetResult,
} from '../access-store.ts';
export { recordAudit } from './access-context.ts';
export type { AccessContext, Client, Session } from './access-context.ts';
export { changePassword, deleteAccount } from './change-password.ts';
export { AUDIT_RETENTION_DAYS, createAccess } from './create-access.ts';
export { createFallbackCounts } from './failure-throttle.ts';
export { createMemoryFailureCounts, FAILURE_LIMITS } from './failure-throttle.ts';
export type { FailureCounts, FailureLimits } from './failure-throttle.ts';
export {
  createInvite,
  formatInvitationId,
  formatInvitationPath,
  getInvitationState,
  revokeInvitation,
} from './invitations.ts';
export {
  confirmSecondFactor,
  disableSecondFactor,
  enrollSecondFactor,
  replaceRecoveryCodes,
} from './second-factor.ts';
export { finishSignIn } from './second-factor.ts';
export { formatSecondFactorResetMail } from './account-mails.ts';
export { findSignInMethods, unlinkIdentity } from './oidc-sign-in.ts';
export type { OidcOptions } from './oidc-provider.ts';
export { OIDC_REFUSAL_CODES, OIDC_REFUSALS } from './oidc-provider.ts';
export type { OidcRefusal } from './oidc-provider.ts';
export { finishOidcSignIn, startOidcSignIn } from './oidc-sign-in.ts';
export type { Proof } from './reauthenticate.ts';
export { createResetLink, findResetAccount, requestPasswordReset, resetPassword } from './change-password.ts';
export { createMailSender } from './account-mails.ts';
export type { Mail } from './account-mails.ts';
export { clearCookies, listSessions, findSession, signOut, signOutEverywhere } from './sessions.ts';
export { createSetupLink, setUp } from './set-up.ts';
export { signIn } from './sign-in.ts';
export { signUp } from './sign-up.ts';
export { resendVerification, verifyEmail } from './sign-up.ts';
