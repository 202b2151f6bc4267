import type { MailExchange } from '../lookup-mail.ts';
import { findParent } from '../domain/domain-facts.ts';

/** Lists of mail hosts by operator that others maintain. */
const MXSNIFF = 'https://github.com/jace/mxsniff/blob/main/mxsniff/providers.py';
const PARSEDMARC =
  'https://github.com/domainaware/parsedmarc/blob/master/parsedmarc/resources/maps/base_reverse_dns_map.csv';
/** Its rows cite the operators' pages, or the DNS records of their own domains. */
const CLASSIFIER = 'https://github.com/email-utils/classifier/blob/main/src/sources/index.ts';
const MX_INTEL = 'https://github.com/covert-labs/mx-intel/blob/master/email_security_providers.py';

/**
 * The operators of mail hosts, the names at or below which their hosts are, and the page that says so: the
 * operator's own, or a list that others maintain. A name that customers' servers share (`ovh.net`) is
 * narrowed to the mail hosts. A longer name wins.
 */
const PROVIDERS: readonly (readonly [provider: string, hosts: string, source: string])[] = [
  // Mailboxes for any domain.
  ['Google Workspace', 'google.com googlemail.com', CLASSIFIER],
  [
    'Microsoft 365',
    'mail.protection.outlook.com mx.microsoft mail.eo.outlook.com mail.protection.outlook.de ' +
      'mail.protection.office365.us mail.protection.partner.outlook.cn',
    'https://learn.microsoft.com/microsoft-365/enterprise/external-domain-name-system-records',
  ],
  ['Proton Mail', 'protonmail.ch', CLASSIFIER],
  [
    'Zoho Mail',
    'zoho.com zoho.eu zoho.in zoho.com.au zoho.jp zohocloud.ca zoho.sa zoho.com.cn zoho.uk zohomail.com',
    CLASSIFIER,
  ],
  ['Fastmail', 'messagingengine.com', CLASSIFIER],
  ['Yandex', 'mx.yandex.net mx.yandex.ru', CLASSIFIER],
  ['iCloud Mail', 'mail.icloud.com', CLASSIFIER],
  ['Yahoo', 'yahoodns.net', CLASSIFIER],
  ['Mail.ru', 'mail.ru', CLASSIFIER],
  [
    'OVHcloud',
    'mail.ovh.net mail.ovh.ca redirect.ovh.net mx1.ovh.net mx2.ovh.net mx3.ovh.net mx4.ovh.net',
    'https://github.com/ovh/docs/tree/master/pages/web/domains/dns_zone_mx',
  ],
  [
    'IONOS',
    'ionos.com ionos.de ionos.co.uk ionos.fr ionos.es ionos.it kundenserver.de perfora.net 1and1.com 1and1.co.uk',
    PARSEDMARC,
  ],
  ['Hetzner', 'your-server.de', PARSEDMARC],
  ['Strato', 'rzone.de', PARSEDMARC],
  ['Gandi', 'mail.gandi.net', MXSNIFF],
  ['Infomaniak', 'infomaniak.ch infomaniak.com', PARSEDMARC],
  ['Hostinger', 'hostinger.com hostinger.in', MXSNIFF],
  [
    'GoDaddy',
    'smtp.secureserver.net smtp.europe.secureserver.net smtp.asia.secureserver.net mailstore1.secureserver.net ' +
      'mailstore1.europe.secureserver.net mailstore1.asia.secureserver.net',
    MXSNIFF,
  ],
  ['Namecheap', 'privateemail.com registrar-servers.com jellyfish.systems', PARSEDMARC],
  ['Rackspace', 'emailsrvr.com', MXSNIFF],
  ['Titan', 'titan.email', PARSEDMARC],
  ['Migadu', 'migadu.com', MXSNIFF],
  ['MXroute', 'mxroute.com mxlogin.com', MXSNIFF],
  ['Hover', 'hostedemail.com', MXSNIFF],
  ['Intermedia', 'serverdata.net intermedia.net', MXSNIFF],
  ['Pobox', 'pobox.com', MXSNIFF],
  ['Soverin', 'soverin.net', PARSEDMARC],
  ['mailbox.org', 'mailbox.org', PARSEDMARC],
  ['Posteo', 'posteo.de', 'https://github.com/thunderbird/autoconfig/blob/master/ispdb/posteo.de.xml'],
  ['Tuta', 'tutanota.de', CLASSIFIER],
  ['Purelymail', 'purelymail.com', 'https://support.purelymail.com/support/solutions/articles/159000430653'],
  ['Lark', 'larksuite.com', 'https://www.larksuite.com/hc/ja-JP/articles/360048488073'],
  ['Runbox', 'runbox.com', MXSNIFF],
  ['DreamHost', 'mail.dreamhost.com mx1.dreamhost.com mx2.dreamhost.com', MXSNIFF],
  ['SiteGround', 'mailspamprotection.com', MXSNIFF],
  ['20i', 'stackmail.com', PARSEDMARC],
  ['one.com', 'one.com', MXSNIFF],
  ['Aruba', 'mx.aruba.it', PARSEDMARC],
  ['Loopia', 'loopia.se', PARSEDMARC],
  ['Seznam', 'seznam.cz', PARSEDMARC],
  ['Tencent', 'qq.com', MXSNIFF],
  ['Alibaba Cloud', 'mxhichina.com aliyun.com', 'https://help.aliyun.com/en/document_detail/446248.html'],
  ['NetEase', '163.com netease.com', PARSEDMARC],
  ['NAVER WORKS', 'worksmobile.com', PARSEDMARC],
  // Consumer mailboxes and groups, some at the same operators.
  ['Gmail', 'gmail-smtp-in.l.google.com', MXSNIFF],
  ['Google Groups', 'gmr-smtp-in.l.google.com', MXSNIFF],
  ['Outlook.com', 'olc.protection.outlook.com hotmail.com', MXSNIFF],
  ['Yahoo! JAPAN', 'yahoo.co.jp', MXSNIFF],
  ['GMX', 'gmx.net gmx.com', MXSNIFF],
  ['mail.com', 'mail.com', MXSNIFF],
  ['WEB.DE', 'web.de', CLASSIFIER],
  ['HEY', 'app.hey.com', CLASSIFIER],
  ['T-Online', 't-online.de', 'https://github.com/thunderbird/autoconfig/blob/master/ispdb/t-online.de.xml'],
  ['Orange', 'orange.fr', PARSEDMARC],
  ['Naver', 'naver.com', PARSEDMARC],
  // Filters and gateways in front of the mailboxes.
  ['Mimecast', 'mimecast.com mimecast.co.za mimecast-offshore.com', MX_INTEL],
  ['Proofpoint', 'pphosted.com ppe-hosted.com', MX_INTEL],
  ['Barracuda', 'barracudanetworks.com', MX_INTEL],
  ['Cisco', 'iphmx.com', MX_INTEL],
  ['Trend Micro', 'trendmicro.com trendmicro.eu', MX_INTEL],
  ['Symantec Email Security', 'messagelabs.com', MX_INTEL],
  ['Sophos', 'sophos.com', MX_INTEL],
  ['Hornetsecurity', 'hornetsecurity.com antispameurope.com', MX_INTEL],
  ['Forcepoint', 'mailcontrol.com', MX_INTEL],
  ['N-able SpamExperts', 'spamexperts.com antispamcloud.com', MX_INTEL],
  ['AppRiver', 'arsmtp.com appriver.com', MX_INTEL],
  ['Retarus', 'retarus.com rmx.de', MX_INTEL],
  ['Vade', 'vadesecure.com', MX_INTEL],
  ['Cloudflare Email Security', 'mxrecord.io mxrecord.mx', PARSEDMARC],
  // Forwarders.
  ['Cloudflare Email Routing', 'mx.cloudflare.net', PARSEDMARC],
  ['ImprovMX', 'improvmx.com', PARSEDMARC],
  ['Forward Email', 'forwardemail.net', PARSEDMARC],
  ['SimpleLogin', 'simplelogin.co', 'https://github.com/duhow/mail-checker/blob/main/mail_checker/const.py'],
  ['addy.io', 'anonaddy.me', 'https://github.com/anonaddy/anonaddy/blob/master/app/Models/Domain.php'],
  // Receivers for programs.
  ['Mailgun', 'mailgun.org', MXSNIFF],
  ['SendGrid', 'sendgrid.net', MXSNIFF],
  ['Postmark', 'inbound.postmarkapp.com', MXSNIFF],
  ['Mandrill', 'mandrillapp.com', MXSNIFF],
];

const PROVIDER_BY_HOST: ReadonlyMap<string, string> = new Map(
  PROVIDERS.flatMap(([provider, hosts]) => hosts.split(' ').map((host) => [host, provider] as const)),
);

/**
 * SES and WorkMail, not a server at EC2
 * (https://docs.aws.amazon.com/ses/latest/dg/receiving-email-mx-record.html).
 */
const AMAZON_HOST = /^inbound-smtp\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/;

/** Finds the operator of the best mail exchange; null if it is not in the table. */
export function findMailProvider(exchanges: readonly MailExchange[]): string | null {
  const best = exchanges.find(({ exchange }) => exchange !== '' && exchange !== '.');
  if (best === undefined) return null;
  const name = best.exchange.toLowerCase();
  if (AMAZON_HOST.test(name)) return 'Amazon';
  const host = findParent(name, (one) => PROVIDER_BY_HOST.has(one));
  return host === null ? null : (PROVIDER_BY_HOST.get(host) ?? null);
}

/**
 * The providers that deliver `name+tag` to `name` at their customers' domains too, and the pages that say so.
 * At Microsoft 365 a customer can turn it off; it is on by default.
 */
const TAGGED: ReadonlyMap<string, string> = new Map([
  ['Google Workspace', 'https://support.google.com/mail/answer/12096'],
  [
    'Microsoft 365',
    'https://learn.microsoft.com/exchange/recipients-in-exchange-online/plus-addressing-in-exchange-online',
  ],
]);

/** Returns true if a provider delivers `name+tag` to the mailbox of `name` at every domain. */
export function deliversTags(provider: string | null): boolean {
  return provider !== null && TAGGED.has(provider);
}
