import type { MailExchange } from '../lookup-mail.ts';
import { findParent } from '../domain/find-parent.ts';

/**
 * The operators of mail hosts, with the names at or below which their hosts are. Most names are domains of
 * the operator; for others, the third column has the operator's help pages that name them.
 */
const PROVIDERS: readonly (readonly [provider: string, hosts: string, source?: string])[] = [
  // Mailboxes for any domain.
  ['Google Workspace', 'google.com googlemail.com', 'https://support.google.com/a/answer/174125'],
  [
    'Microsoft 365',
    'mail.protection.outlook.com mx.microsoft',
    'https://learn.microsoft.com/microsoft-365/enterprise/external-domain-name-system-records',
  ],
  ['Proton Mail', 'protonmail.ch', 'https://proton.me/support/custom-domain'],
  ['Zoho Mail', 'zoho.com zoho.eu zoho.in zoho.com.au zoho.jp zoho.sa zohocloud.ca zoho.com.cn zohomail.com'],
  ['Fastmail', 'messagingengine.com', 'https://www.fastmail.help'],
  ['Yandex', 'yandex.net yandex.ru'],
  ['iCloud Mail', 'icloud.com'],
  ['Yahoo', 'yahoodns.net'],
  ['Mail.ru', 'mail.ru'],
  ['Amazon', 'amazonaws.com', 'https://docs.aws.amazon.com/ses/latest/dg/receiving-email-mx-record.html'],
  ['OVHcloud', 'ovh.net ovh.ca'],
  [
    'IONOS',
    'ionos.com ionos.de ionos.co.uk ionos.fr ionos.es ionos.it kundenserver.de',
    'https://www.ionos.com/help',
  ],
  ['Strato', 'rzone.de', 'https://www.strato.de/faq'],
  ['Gandi', 'gandi.net'],
  ['Infomaniak', 'infomaniak.ch infomaniak.com'],
  ['Hostinger', 'hostinger.com hostinger.in'],
  ['GoDaddy', 'secureserver.net', 'https://www.godaddy.com/help'],
  ['Namecheap', 'privateemail.com registrar-servers.com', 'https://www.namecheap.com/support/knowledgebase'],
  ['Rackspace', 'emailsrvr.com', 'https://docs.rackspace.com'],
  ['Titan', 'titan.email'],
  ['Migadu', 'migadu.com'],
  ['mailbox.org', 'mailbox.org'],
  ['Posteo', 'posteo.de'],
  ['Tuta', 'tutanota.de'],
  ['Runbox', 'runbox.com'],
  ['DreamHost', 'dreamhost.com'],
  ['one.com', 'one.com'],
  ['Aruba', 'aruba.it'],
  ['Seznam', 'seznam.cz'],
  ['Tencent', 'qq.com'],
  ['Alibaba Cloud', 'mxhichina.com aliyun.com', 'https://help.aliyun.com'],
  ['NetEase', '163.com netease.com'],
  ['NAVER WORKS', 'worksmobile.com'],
  // Consumer mailboxes at the same operators; a longer name wins.
  ['Gmail', 'gmail-smtp-in.l.google.com'],
  ['Outlook.com', 'olc.protection.outlook.com'],
  ['GMX', 'gmx.net gmx.com'],
  ['WEB.DE', 'web.de'],
  ['T-Online', 't-online.de'],
  ['Orange', 'orange.fr'],
  ['Naver', 'naver.com'],
  // Filters and gateways in front of the mailboxes.
  ['Mimecast', 'mimecast.com mimecast.co.za mimecast-offshore.com'],
  ['Proofpoint', 'pphosted.com ppe-hosted.com', 'https://help.proofpoint.com'],
  ['Barracuda', 'barracudanetworks.com'],
  ['Cisco', 'iphmx.com', 'https://docs.ces.cisco.com'],
  ['Trend Micro', 'trendmicro.com trendmicro.eu'],
  ['Symantec Email Security', 'messagelabs.com', 'https://techdocs.broadcom.com'],
  ['Sophos', 'sophos.com'],
  ['Hornetsecurity', 'hornetsecurity.com antispameurope.com', 'https://support.hornetsecurity.com'],
  // Forwarders.
  ['Cloudflare Email Routing', 'mx.cloudflare.net'],
  ['ImprovMX', 'improvmx.com'],
  ['Forward Email', 'forwardemail.net'],
  ['SimpleLogin', 'simplelogin.co'],
  ['addy.io', 'anonaddy.me anonaddy.com'],
  // Receivers for programs.
  ['Mailgun', 'mailgun.org'],
  ['SendGrid', 'sendgrid.net'],
  ['Postmark', 'postmarkapp.com'],
];

const PROVIDER_BY_HOST: ReadonlyMap<string, string> = new Map(
  PROVIDERS.flatMap(([provider, hosts]) => hosts.split(' ').map((host) => [host, provider] as const)),
);

/** Finds the operator of the best mail exchange; null if it is not in the table. */
export function findMailProvider(exchanges: readonly MailExchange[]): string | null {
  const best = exchanges.find(({ exchange }) => exchange !== '' && exchange !== '.');
  if (best === undefined) return null;
  const host = findParent(best.exchange.toLowerCase(), (name) => PROVIDER_BY_HOST.has(name));
  return host === null ? null : (PROVIDER_BY_HOST.get(host) ?? null);
}
