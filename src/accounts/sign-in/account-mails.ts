import type { Mail } from './send-mail.ts';

/** The email address of an account, and whether its owner has verified it. */
export interface MailRecipient {
  email: string;
  emailVerified: boolean;
}

/** Formats the mail with the link that sets a new password. */
export function formatResetMail(
  { email, emailVerified }: MailRecipient,
  origin: string,
  token: string,
): Mail {
  const parts = [`Set a new password here, within an hour:\n${origin}/reset-password?token=${token}`];
  if (!emailVerified)
    parts.push(
      'This address has not been verified, so someone else may have created the account. Setting a new password signs out all devices and revokes all API keys of the account that exist by then: create new keys afterwards.',
    );
  parts.push('If you did not request this, ignore this mail.');
  return { to: email, subject: 'Set a new password', text: parts.join('\n\n') };
}

/** Formats the mail with the link that verifies the email address. */
export function formatVerificationMail({ email }: MailRecipient, origin: string, token: string): Mail {
  return {
    to: email,
    subject: 'Confirm your email address',
    text: [
      `Confirm that this address is yours, within a day:\n${origin}/verify-email?token=${token}`,
      `If you did not sign up, do not confirm. To take over the account, set a new password instead; this signs out the person who created it and revokes its API keys:\n${origin}/forgot-password`,
    ].join('\n\n'),
  };
}

/** Formats the mail to the owner of an account whose address someone signed up with again. */
export function formatRepeatedSignUpMail({ email, emailVerified }: MailRecipient, origin: string): Mail {
  const parts = [
    'Someone, probably you, tried to sign up with this address, which already has an account.',
    `Sign in, or set a new password, here:\n${origin}/sign-in`,
  ];
  if (!emailVerified)
    parts.push(
      'The address of that account has not been verified. If you did not create it, set a new password: this signs out the person who did and revokes its API keys.',
    );
  parts.push('If you did not try to sign up, ignore this mail.');
  return { to: email, subject: 'You have an account already', text: parts.join('\n\n') };
}
