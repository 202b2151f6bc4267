/** Audit events in words. */
import { deviceName } from '../../components/device-name.ts';

const SENTENCES: Record<string, string> = {
  'account.created': 'Account created',
  'account.plan_changed': 'Plan changed',
  'account.disabled': 'Account disabled',
  'account.enabled': 'Account enabled',
  'account.deleted': 'Account deleted',
  'account.deletion_failed': 'A deletion of the account failed: the password was wrong',
  'account.made_administrator': 'Account made an administrator',
  'sign_up.repeated': 'Somebody tried to sign up with this address again',
  sign_in: 'Signed in',
  'sign_in.failed': 'A sign-in failed',
  sign_out: 'Signed out',
  'session.ended': 'A device was signed out',
  'session.ended_everywhere': 'Signed out everywhere',
  'password.changed': 'Password changed',
  'password.change_failed': 'A password change failed: the current password was wrong',
  'password.reset': 'Password reset by a link',
  'password.reset_requested': 'A password reset was asked for',
  'email.verified': 'Email address confirmed',
  'key.created': 'Key created',
  'key.changed': 'Key changed',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
  'key.grace_ended': 'The grace period of a rotated key ended early: all keys were in use',
  'keys.revoked_by_reset': 'Keys revoked by the password reset: the address had not been confirmed before',
};

/** A sentence for a known event; the name in plain letters for any other. */
export function auditSentence(event: string): string {
  const known = SENTENCES[event];
  if (known !== undefined) return known;
  const words = event.replaceAll(/[_.:-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The detail of an event as one line. */
export function detailText(detail: unknown): string {
  if (detail === null || detail === undefined) return '';
  // Sign-ins tell the User-Agent.
  if (typeof detail === 'string') return detail.startsWith('Mozilla/') ? deviceName(detail) : detail;
  if (typeof detail !== 'object') return JSON.stringify(detail);
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(' · ');
}
