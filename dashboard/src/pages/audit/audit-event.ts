/** Describes audit events. */
import type { AuditEvent } from '../../api/types.ts';
import { deviceName } from '../../components/device-name.ts';

/** A sentence for every event that the service writes. */
export const EVENT_SENTENCES: Record<AuditEvent['event'], string> = {
  'account.created': 'Account created',
  'account.plan_changed': 'Plan changed',
  'account.disabled': 'Account disabled',
  'account.enabled': 'Account enabled',
  'account.deleted': 'Account deleted',
  'account.deletion_failed': 'Account deletion failed: wrong password',
  'account.made_administrator': 'Account made an administrator',
  'sign_up.repeated': 'Someone tried to sign up with this address again',
  sign_in: 'Signed in',
  'sign_in.failed': 'Sign-in failed',
  sign_out: 'Signed out',
  'session.ended': 'Device signed out',
  'session.ended_everywhere': 'Signed out everywhere',
  'password.changed': 'Password changed',
  'password.change_failed': 'Password change failed: wrong current password',
  'password.reset': 'Password reset',
  'password.reset_requested': 'Password reset requested',
  'password.reset_link_created': 'Password link created',
  'email.verified': 'Email address confirmed',
  'data.downloaded': 'Account data downloaded',
  'invitation.created': 'Invitation created',
  'invitation.revoked': 'Invitation revoked',
  'administrator.changed_account': 'Changed an account as administrator',
  'administrator.created_reset_link': 'Created a password link as administrator',
  'administrator.deleted_account': 'Deleted an account as administrator',
  'administrator.revoked_key': 'Revoked a key as administrator',
  'identity.linked': 'Identity provider linked',
  'identity.unlinked': 'Identity provider unlinked',
  'second_factor.enabled': 'Two-step sign-in turned on',
  'second_factor.disabled': 'Two-step sign-in turned off',
  'second_factor.failed': 'Wrong code of the second factor',
  'second_factor.recovery_code_used': 'Signed in with a recovery code',
  'second_factor.recovery_codes_replaced': 'Recovery codes replaced',
  'second_factor.reset': 'Two-step sign-in reset',
  'key.created': 'Key created',
  'key.changed': 'Key changed',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
  'key.grace_ended': 'Grace period of a rotated key ended early: all keys were in use',
  'keys.disabled': 'Keys disabled: the address was never confirmed, and they were not used for 7 days',
  'keys.revoked_by_reset': 'Keys revoked by the password reset: the address was never confirmed',
};

/** Returns the sentence of an event. An event that this version does not know is described by its name. */
export function describeEvent(event: string): string {
  const known = (EVENT_SENTENCES as Record<string, string>)[event];
  if (known !== undefined) return known;
  const words = event.replaceAll(/[_.:-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Formats the detail of an event. Sign-ins have a User-Agent, which becomes the name of the device. */
export function formatDetail(detail: string): string {
  return detail.startsWith('Mozilla/') ? deviceName(detail) : detail;
}

/** Kinds of events, to filter by. */
export const EVENT_GROUPS = [
  { value: 'sign-in', label: 'Sign-in' },
  { value: 'keys', label: 'Keys' },
  { value: 'account', label: 'Account' },
] as const;

export type EventGroup = (typeof EVENT_GROUPS)[number]['value'];

const SIGN_IN = /^(?:sign_|session\.|password\.|second_factor\.|identity\.)/;

/** Returns whether the event is of this kind. */
export function isInGroup(event: string, group: EventGroup): boolean {
  if (SIGN_IN.test(event)) return group === 'sign-in';
  return group === (/^keys?[._]/.test(event) ? 'keys' : 'account');
}
