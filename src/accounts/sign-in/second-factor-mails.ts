/** The mails about the ways to sign in to an account. Each says what to do if it was someone else. */
import type { MailRecipient } from './account-mails.ts';
import type { Mail } from './send-mail.ts';

/** Formats the mail to the owner of an account whose second factor was turned on. */
export function formatSecondFactorEnabledMail(recipient: MailRecipient, origin: string): Mail {
  return formatNotice(recipient, origin, 'Two-step sign-in is on', [
    'Sign-in to your account now asks for a code of your authenticator app. All other devices were signed out.',
  ]);
}

/** Formats the mail to the owner of an account whose second factor was turned off. */
export function formatSecondFactorDisabledMail(recipient: MailRecipient, origin: string): Mail {
  return formatNotice(recipient, origin, 'Two-step sign-in is off', [
    'Sign-in to your account no longer asks for a code. You can turn it on again in the settings.',
  ]);
}

/** Formats the mail to the owner of an account whose second factor the operator removed. */
export function formatSecondFactorResetMail({ email }: MailRecipient): Mail {
  return {
    to: email,
    subject: 'Two-step sign-in was reset',
    text: [
      'The operator of this service turned off two-step sign-in of your account and signed out all devices. Sign in with your password and turn it on again in the settings.',
      'If you did not ask for this, contact the operator.',
    ].join('\n\n'),
  };
}

/** Formats the mail to the owner of an account that was signed in to with a recovery code. */
export function formatRecoveryCodeUsedMail(recipient: MailRecipient, origin: string, left: number): Mail {
  return formatNotice(recipient, origin, 'A recovery code was used', [
    `Someone, probably you, signed in to your account with a recovery code. Codes left: ${left}. New ones are in the settings.`,
  ]);
}

/** Formats the mail to the owner of an account that can now be signed in to by an identity provider. */
export function formatIdentityLinkedMail(recipient: MailRecipient, origin: string, provider: string): Mail {
  return formatNotice(recipient, origin, `Sign-in with ${provider} is on`, [
    `Your account can now be signed in to with ${provider}. You can unlink it in the settings.`,
  ]);
}

function formatNotice(
  { email }: MailRecipient,
  origin: string,
  subject: string,
  paragraphs: readonly string[],
): Mail {
  const advice = `If this was not you, set a new password, which signs out all devices:\n${origin}/forgot-password`;
  return { to: email, subject, text: [...paragraphs, advice].join('\n\n') };
}
