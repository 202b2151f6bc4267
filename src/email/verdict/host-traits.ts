import type { MailExchange } from '../lookup-mail.ts';
import { deliversTags, findMailProvider } from './mail-providers.ts';
import { findParent } from '../domain/domain-facts.ts';

/** The findings about the mail hosts of a domain that the details need. */
export interface HostTraits {
  provider: string | null;
  /** `name+tag` reaches the mailbox of `name`. */
  hasTags: boolean;
  isRelay: boolean;
  isParked: boolean;
}

/** Computes the traits of mail hosts, best first. */
export function computeHostTraits(exchanges: readonly MailExchange[]): HostTraits {
  const provider = findMailProvider(exchanges);
  return {
    provider,
    hasTags: deliversTags(provider),
    isRelay: areAllUnder(exchanges, RELAY_HOSTS),
    isParked: isParkedMail(exchanges),
  };
}

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
    // Spamgourmet: https://github.com/unkn0w/disposable-email-domain-list/issues/5,
    // https://github.com/vboctor/disposable_email_checker/pull/23,
    // https://github.com/wesbos/burner-email-providers/commit/6dc728c
    'spamgourmet.com spamgourmet.net spamgourmet.org antichef.com antichef.net 0sg.net 0wnd.net 0wnd.org',
    'inboxclean.com inboxclean.org mycleaninbox.net',
    // Sneakemail: https://github.com/FGRibreau/mailchecker/pull/150
    'sneakemail.com snkmail.com snkml.com liamekaens.com',
    // MySudo, from its maker: https://github.com/disposable-email-domains/disposable-email-domains/issues/192
    'sudolife.me sudolife.net sudomail.biz sudomail.com sudomail.net sudoverse.com sudoverse.net',
    'sudoweb.net sudoworld.com sudoworld.net',
    // Cloaked: https://www.nuget.org/packages/Alos.Email.Validation
    'cloaked.id myclkd.email',
  ].flatMap((line) => line.split(' ')),
);

/** Hosts that receive only for relays, also at their customers' own domains; see the table of providers. */
const RELAY_HOSTS: ReadonlySet<string> = new Set(['simplelogin.co', 'anonaddy.me', 'spamgourmet.com']);

/** Returns true for a domain (A-labels, lower case) of a relay or below it. */
export function isRelayDomain(domain: string): boolean {
  return findParent(domain, (name) => RELAY_DOMAINS.has(name)) !== null;
}

/** Returns true if every mail exchange has one of these names, or is below one. */
function areAllUnder(exchanges: readonly MailExchange[], hosts: ReadonlySet<string>): boolean {
  const isUnder = ({ exchange }: MailExchange): boolean =>
    findParent(exchange.toLowerCase(), (name) => hosts.has(name)) !== null;
  return exchanges.length > 0 && exchanges.every(isUnder);
}

/**
 * Providers that have announced the end of their mailboxes, with the day and a report of it. Their domains
 * may still publish MX records, or have been registered by others. A provider whose addresses were taken
 * over by another is not closed (paran.com by Daum, caramail.com by GMX).
 */
const CLOSED_PROVIDERS: ReadonlySet<string> = new Set(
  [
    // Lycos Europe, 2009-02-15: https://webnews.it/tripod-e-lycos-mail-verso-il-pensionamento
    'lycos.de lycos.fr lycos.it lycos.es lycos.nl lycos.co.uk',
    // Freechal, 2013-02-18: https://www.sisunnews.co.kr/news/articleView.html?idxno=4049
    'freechal.com',
    // Yahoo China, 2013-08-19: https://www.zdnet.com/article/yahoo-china-to-cease-e-mail-service/
    'yahoo.cn yahoo.com.cn',
    // Voila (Orange), 2016-01-12: https://korben.info/voila-cest-fini.html
    'voila.fr',
    // Orange UK, 2017-05-31: https://www.spamresource.com
    'orange.net orangehome.co.uk wanadoo.co.uk freeserve.co.uk fsnet.co.uk fsworld.co.uk fslife.co.uk',
    'fsbusiness.co.uk fsmail.net',
    // CTemplar, 2022; Skiff, 2024: https://blog.thenewoil.org/skiff-should-be-a-reminder-to-us-all
    'ctemplar.com skiff.com',
  ].flatMap((line) => line.split(' ')),
);

/** Returns true if a provider that closed owned a domain; `owners` are the domain and its parents. */
export function isClosedProvider(owners: readonly string[]): boolean {
  return owners.some((owner) => CLOSED_PROVIDERS.has(owner));
}

/**
 * Mail hosts of parked and typo-squatted domains (Szurdi and Christin, "Email typosquatting", IMC 2017, and
 * domain parking services). They accept mail for any domain, so their MX records do not show that a domain
 * is meant. Hosts that also serve mailboxes or forwards are not among them: namebrightmail.com,
 * parkmail.dynadot.com, mailstore1.secureserver.net.
 */
const PARKED: ReadonlySet<string> = new Set([
  ...'b-io.co h-email.net m1bp.com m2bp.com mb1p.com mb5p.com hope-mail.com hostedmxserver.com above.com'.split(
    ' ',
  ),
  ...'sedoparking.com parkingcrew.net bodis.com dan.com nickstel.com fakemx.net mailerhost.net in-mx.com uniregistry.net'.split(
    ' ',
  ),
  // ParkLogic: https://github.com/jace/mxsniff/blob/main/mxsniff/providers.py
  'parklogic.com',
  // The marketplace of GoDaddy, which has its own mail elsewhere
  'park-mx.afternic.com',
  // For domains that are registered so that others cannot: its name says that it takes no mail
  'nullmx.domainmanager.com',
]);

/** Returns true if every mail exchange belongs to a parking service. */
export function isParkedMail(exchanges: readonly MailExchange[]): boolean {
  return areAllUnder(exchanges, PARKED);
}
