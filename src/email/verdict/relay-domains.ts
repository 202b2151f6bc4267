import type { MailExchange } from '../lookup-mail.ts';
import { findParent } from '../domain/find-parent.ts';

/**
 * Domains of relay and alias services: each address forwards to a mailbox elsewhere. Aliases at shared
 * domains (Hide My Email at icloud.com, masked addresses at fastmail.com) look like mailboxes. Most are in
 * https://github.com/disposable/disposable-email-domains, among the domains that only its strict list has.
 */
export const RELAY_DOMAINS: ReadonlySet<string> = new Set(
  [
    // DuckDuckGo, Firefox Relay, and Sign in with Apple
    'duck.com mozmail.com relay.firefox.com privaterelay.appleid.com',
    // Proton Pass
    'passmail.net passmail.com passinbox.com passfwd.com',
    // SimpleLogin
    'simplelogin.com simplelogin.co simplelogin.io simplelogin.fr aleeas.com slmail.me slmails.com',
    'silomails.com 8alias.com 8shield.net dralias.com',
    // addy.io
    'addy.io anonaddy.com anonaddy.me anonaddy.net addymail.com 4wrd.cc mailer.me',
    // erine.email, Blur, and 33Mail
    'erine.email opayq.com 33mail.com',
    // Cloaked: https://www.nuget.org/packages/Alos.Email.Validation
    'cloaked.id myclkd.email',
  ].flatMap((line) => line.split(' ')),
);

/** Hosts that receive only for relays, also at their customers' own domains; see the table of providers. */
const RELAY_HOSTS: ReadonlySet<string> = new Set(['simplelogin.co', 'anonaddy.me']);

/** Returns true for a domain (A-labels, lower case) of a relay or below it. */
export function isRelayDomain(domain: string): boolean {
  return findParent(domain, (name) => RELAY_DOMAINS.has(name)) !== null;
}

/** Returns true if every mail exchange belongs to a relay. */
export function isRelayMail(exchanges: readonly MailExchange[]): boolean {
  const isAtRelay = ({ exchange }: MailExchange): boolean =>
    findParent(exchange.toLowerCase(), (name) => RELAY_HOSTS.has(name)) !== null;
  return exchanges.length > 0 && exchanges.every(isAtRelay);
}
