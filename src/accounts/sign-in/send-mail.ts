export interface Mail {
  to: string;
  subject: string;
  /** Plain text; a link is on a line of its own. */
  text: string;
}

/**
 * Sends a mail. Never rejects: failures are logged, because the client that caused the mail must not learn
 * whether there was one.
 */
export type SendMail = (mail: Mail) => Promise<void>;

export interface MailOptions {
  /** `smtp://` or `smtps://` with credentials; null to write all mails to the log instead. */
  smtpUrl: string | null;
  from: string;
  log: { warn: (message: string) => void; error: (details: object, message: string) => void };
}

const TIMEOUT_MS = 15_000;

/** Creates the function that sends mails by SMTP, or writes them to the log. */
export async function createMailSender({ smtpUrl, from, log }: MailOptions): Promise<SendMail> {
  if (smtpUrl === null)
    return async ({ to, subject, text }) =>
      log.warn(`mail to ${to} (no SMTP_URL is set): ${subject}\n${text}`);
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
    } catch (error) {
      log.error({ err: error }, `the mail «${subject}» could not be sent`);
    }
  };
}
