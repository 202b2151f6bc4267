/**
 * Sign-up, sign-in and recovery of accounts: sessions, passwords, mails and the throttles against guessing.
 * Sessions are those of better-auth. Never names SQL (the stores arrive as interfaces), and reads the clock
 * only through better-auth.
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
export { createFallbackCounts } from './fallback-counts.ts';
export { createMemoryFailureCounts, FAILURE_LIMITS } from './failure-counts.ts';
export type { FailureCounts, FailureLimits } from './failure-counts.ts';
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
export { finishSignIn } from './finish-sign-in.ts';
export { formatSecondFactorResetMail } from './second-factor-mails.ts';
export { findSignInMethods, unlinkIdentity } from './oidc-accounts.ts';
export type { OidcOptions } from './oidc-engine.ts';
export { OIDC_REFUSAL_CODES, OIDC_REFUSALS } from './oidc-refusals.ts';
export type { OidcRefusal } from './oidc-refusals.ts';
export { finishOidcSignIn, startOidcSignIn } from './oidc-sign-in.ts';
export type { Proof } from './reauthenticate.ts';
export { createResetLink, findResetAccount, requestPasswordReset, resetPassword } from './reset-password.ts';
export { createMailSender } from './send-mail.ts';
export type { Mail } from './send-mail.ts';
export { clearCookies, listSessions, findSession, signOut, signOutEverywhere } from './sessions.ts';
export { createSetupLink, setUp } from './set-up.ts';
export { signIn } from './sign-in.ts';
export { signUp } from './sign-up.ts';
export { resendVerification, verifyEmail } from './verify-email.ts';
