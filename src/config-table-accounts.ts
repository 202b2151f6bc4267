/** The settings of accounts: who may create one, what visitors see, and the mails to account holders. */
import { optional, secret, setting } from './config-setting.ts';
import { oneOf, parseBoolean, parseIssuer, parseText, urlWith } from './config-values.ts';

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
  oidcIssuer: optional(
    'OIDC_ISSUER',
    'https:// URL',
    parseIssuer,
    'The identity provider of single sign-on (OpenID Connect), as its discovery document names itself.',
  ),
  oidcClientId: optional(
    'OIDC_CLIENT_ID',
    'text',
    parseText,
    'The name of this service at the identity provider.',
  ),
  oidcClientSecret: secret(
    'OIDC_CLIENT_SECRET',
    'text',
    parseText,
    'The secret of this service at the identity provider.',
  ),
  oidcName: setting(
    'OIDC_NAME',
    'text',
    parseText,
    'Single sign-on',
    'The name of the identity provider on the sign-in page.',
  ),
} as const;
