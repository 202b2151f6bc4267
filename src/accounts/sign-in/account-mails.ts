export interface Mail {
  to: string;
  subject: string;
  /** Plain text; a link is on a line of its own. */
  text: string;
}

/**
 * Sends a mail. Returns false if that failed. Never rejects: failures are logged, because the client that
 * caused the mail must not learn whether there was one.
 */
export type SendMail = (mail: Mail) => Promise<boolean>;

interface MailOptions {
  /** `smtp://` or `smtps://` with credentials; null to write all mails to the log instead. */
  smtpUrl: string | null;
  from: string;
  log: { warn: (message: string) => void; error: (details: object, message: string) => void };
}

const TIMEOUT_MS = 15_000;

/** Creates the function that sends mails by SMTP, or writes them to the log. */
export async function createMailSender({ smtpUrl, from, log }: MailOptions): Promise<SendMail> {
  if (smtpUrl === null)
    return async ({ to, subject, text }) => {
      log.warn(`mail to ${to} (no SMTP_URL is set): ${subject}\n${text}`);
      return true;
    };
  // Loaded only here: a service without SMTP starts sooner.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, subject, text }) => {
    try {
      await transport.sendMail({ from, to, subject, text });
      return true;
    } catch (error) {
      log.error({ err: error }, `the mail «${subject}» could not be sent`);
      return false;
    }
  };
}

/** The email address of an account, and whether its owner has verified it. */
interface MailRecipient {
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

/** Formats the mail to the owner of an unproven account whose keys are disabled. */
export function formatKeysDisabledMail({ email }: Pick<MailRecipient, 'email'>, origin: string): Mail {
  return {
    to: email,
    subject: 'Your API keys are disabled',
    text: [
      `The address of this account was never confirmed, and its API keys were not used for 7 days: they are disabled now, and the account is deleted in 30 days. To keep both, sign in and request a new link that confirms the address:\n${origin}/sign-in`,
      'If you did not sign up, ignore this mail.',
    ].join('\n\n'),
  };
}

// The mails about the ways to sign in to an account. Each says what to do if it was someone else.

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
