import type { MailExchange } from '../lookup-mail.ts';
import { findParent } from '../domain/find-parent.ts';

/**
 * Domains of relay and alias services: each address forwards to a mailbox elsewhere. Aliases at shared
 * domains (Hide My Email at icloud.com, masked addresses at fastmail.com) look like mailboxes.
 */
export const RELAY_DOMAINS: ReadonlySet<string> = new Set(
  [
    // https://duckduckgo.com/email
    'duck.com',
    // https://relay.firefox.com
    'mozmail.com relay.firefox.com',
    // https://support.apple.com/HT210425: Sign in with Apple
    'privaterelay.appleid.com',
    // https://proton.me/support/pass-hide-my-email-aliases
    'passmail.net passmail.com passinbox.com passfwd.com',
    // https://simplelogin.io/docs
    'simplelogin.com simplelogin.co simplelogin.io simplelogin.fr aleeas.com slmail.me slmails.com',
    'silomails.com 8alias.com 8shield.net dralias.com',
    // https://addy.io/faq
    'addy.io anonaddy.com anonaddy.me anonaddy.net',
    // https://erine.email, https://ironvest.com (formerly Blur), https://cloaked.com
    'erine.email opayq.com cloaked.id',
  ].flatMap((line) => line.split(' ')),
);

/** Hosts that receive only for relays, also at their customers' own domains. */
const RELAY_HOSTS: ReadonlySet<string> = new Set(['simplelogin.co', 'anonaddy.me', 'mozmail.com']);

/** Returns true for a domain (A-labels, lower case) of a relay or below it, and for one at its mail hosts. */
export function isRelay(domain: string, exchanges: readonly MailExchange[]): boolean {
  const isAtRelay = ({ exchange }: MailExchange): boolean =>
    findParent(exchange.toLowerCase(), (name) => RELAY_HOSTS.has(name)) !== null;
  if (findParent(domain, (name) => RELAY_DOMAINS.has(name)) !== null) return true;
  return exchanges.length > 0 && exchanges.every(isAtRelay);
}
