/** The settings of accounts: who may create one, what visitors see, and the mails to account holders. */
import { secret, setting } from './config-setting.ts';
import { oneOf, parseBoolean, parseText, urlWith } from './config-values.ts';

export const ACCOUNT_SETTINGS = {
  signups: setting(
    'SIGNUPS',
    'open, invite or closed',
    oneOf('open', 'invite', 'closed'),
    'open',
    'Who may create an account in the dashboard.',
  ),
  frontDoor: setting(
    'FRONT_DOOR',
    'true or false',
    parseBoolean,
    'true',
    'Visitors who are not signed in see a page about the service at `/`; if false, the sign-in page.',
  ),
  smtpUrl: secret(
    'SMTP_URL',
    'smtp:// or smtps:// URL',
    urlWith('smtp:', 'smtps:'),
    'The mail server for verification and password links; if unset, links are written to the log.',
  ),
  mailFrom: setting(
    'MAIL_FROM',
    'address',
    parseText,
    'Utility API <utility-api@localhost>',
    'The sender of these emails.',
  ),
} as const;
