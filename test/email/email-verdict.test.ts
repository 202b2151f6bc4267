/** The verdict of `details`, and the members beside it, for whole addresses. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EmailDetails, loadDomainLists, type MailFacts, validateEmail } from '#email';
import { RELAY_DOMAINS } from '../../src/email/verdict/host-traits.ts';

const lists = loadDomainLists();

function mx(...exchanges: string[]): MailFacts {
  return { outcome: 'mx', exchanges: exchanges.map((exchange, at) => ({ exchange, priority: at * 10 })) };
}

async function findDetails(email: string, facts: MailFacts | null): Promise<EmailDetails> {
  const request = { email, checkMx: facts !== null, suggest: true, details: true };
  const report = await validateEmail(request, {
    lists,
    lookupMail: async () => facts ?? assert.fail('queried'),
  });
  assert.equal(report.valid, report.details?.verdict !== 'undeliverable', `${email}: valid and the verdict`);
  return report.details ?? assert.fail();
}

const USUAL = mx('mx.acme-host.com');
const NXDOMAIN: MailFacts = { outcome: 'none', reason: 'nxdomain' };

describe('the verdict on', () => {
  for (const [email, facts, verdict, reasons] of [
    ['ann@acme.com', USUAL, 'deliverable', []],
    ['info@acme.com', USUAL, 'deliverable', ['role']],
    ['x1@mozmail.com', USUAL, 'deliverable', ['relay']],
    ['ann@acme.com', { outcome: 'address' }, 'risky', ['no_mx']],
    ['ann@yopmail.com', USUAL, 'risky', ['disposable']],
    ['ann@gmial.com', USUAL, 'risky', ['typo']],
    ['“ann@acme.com', USUAL, 'risky', ['typo', 'paste_mark']],
    ['“ann@gmial.com', USUAL, 'risky', ['typo', 'paste_mark']],
    ['“ann@yopmail.com', USUAL, 'risky', ['disposable', 'paste_mark']],
    ['“ann@acme.com', NXDOMAIN, 'undeliverable', ['no_mail', 'paste_mark']],
    ['“ann@acme.com”', null, 'undeliverable', ['impossible_domain', 'typo', 'paste_mark']],
    ['ann@acme.com (Ann)', null, 'undeliverable', ['malformed', 'typo', 'paste_mark']],
    ["o'neil@acme.com", USUAL, 'deliverable', []],
    ['asdf@asdf.com', USUAL, 'risky', ['placeholder']],
    ['none@none.com', USUAL, 'risky', ['placeholder']],
    ['www.ann@gmail.com', USUAL, 'risky', ['placeholder']],
    ['test@test.com', USUAL, 'risky', ['placeholder', 'role']],
    ['n/a', null, 'undeliverable', ['malformed', 'placeholder']],
    ['ann@acme.com', mx('mail.h-email.net'), 'risky', ['parked']],
    ['ann@acme.com', mx('smtp1.parklogic.com'), 'risky', ['parked']],
    ['ann@acme.com', mx('park-mx.afternic.com'), 'risky', ['parked']],
    ['ann@acme.com', mx('nullmx.domainmanager.com'), 'risky', ['parked']],
    ['ann@acme.com', mx('mail1.namebrightmail.com'), 'deliverable', []],
    ['ann@acme.com', mx('mailstore1.secureserver.net'), 'deliverable', []],
    ['ann@acme.com', mx('parkmail.dynadot.com'), 'deliverable', []],
    ['ann@voila.fr', USUAL, 'risky', ['provider_closed']],
    ['ann@mail.freechal.com', USUAL, 'risky', ['provider_closed']],
    ['ann@paran.com', USUAL, 'deliverable', []],
    ['ann@acme.com', NXDOMAIN, 'undeliverable', ['no_mail']],
    ['ann@gmaill.com', NXDOMAIN, 'undeliverable', ['no_mail', 'typo']],
    ['ann@acme.com', mx(''), 'undeliverable', ['no_mail']],
    ['ann@acme.com', { ...USUAL, unreachable: true } as MailFacts, 'undeliverable', ['no_mail']],
    ['ann@acme.nosuchtld', null, 'undeliverable', ['impossible_domain']],
    ['ann@localhost.test', null, 'undeliverable', ['impossible_domain']],
    ['ann@[192.0.2.1]', null, 'undeliverable', ['impossible_domain']],
    ['ann@@acme', null, 'undeliverable', ['malformed']],
    ['ann@acme.com', { outcome: 'unknown', reason: 'timeout' }, 'unknown', ['dns_failed']],
    ['ann@acme.com', null, 'unknown', ['not_checked']],
    ['ann@yopmail.com', null, 'risky', ['disposable', 'not_checked']],
  ] as [string, MailFacts | null, string, string[]][])
    it(`${email} with ${JSON.stringify(facts)}`, async () => {
      const details = await findDetails(email, facts);
      assert.deepEqual([details.verdict, details.reasons], [verdict, reasons]);
    });
});

describe('the provider of', () => {
  for (const [exchanges, provider] of [
    [['aspmx.l.google.com', 'alt1.aspmx.l.google.com'], 'Google Workspace'],
    [['ASPMX2.GOOGLEMAIL.COM'], 'Google Workspace'],
    [['alt1.gmail-smtp-in.l.google.com'], 'Gmail'],
    [['acme-com.mail.protection.outlook.com'], 'Microsoft 365'],
    [['acme-com.p-v1.mx.microsoft'], 'Microsoft 365'],
    [['outlook-com.olc.protection.outlook.com'], 'Outlook.com'],
    [['mail.protonmail.ch', 'mailsec.protonmail.ch'], 'Proton Mail'],
    [['mx2.zoho.eu'], 'Zoho Mail'],
    [['in1-smtp.messagingengine.com'], 'Fastmail'],
    [['mx.yandex.net'], 'Yandex'],
    [['mx01.mail.icloud.com'], 'iCloud Mail'],
    [['us-smtp-inbound-1.mimecast.com'], 'Mimecast'],
    [['mx0a-001.pphosted.com'], 'Proofpoint'],
    [['d1.ess.barracudanetworks.com'], 'Barracuda'],
    [['route1.mx.cloudflare.net'], 'Cloudflare Email Routing'],
    [['inbound-smtp.eu-west-1.amazonaws.com'], 'Amazon'],
    [['mx1.mail.ovh.net'], 'OVHcloud'],
    [['mx00.kundenserver.de'], 'IONOS'],
    [['smtpin.rzone.de'], 'Strato'],
    [['spool.mail.gandi.net'], 'Gandi'],
    [['mxbiz1.qq.com'], 'Tencent'],
    [['mxn.mxhichina.com'], 'Alibaba Cloud'],
    [['smtp.google.com'], 'Google Workspace'],
    [['gmr-smtp-in.l.google.com'], 'Google Groups'],
    [['acme-com.mail.eo.outlook.com'], 'Microsoft 365'],
    [['acme-com.mail.protection.partner.outlook.cn'], 'Microsoft 365'],
    [['mx.zohocloud.ca'], 'Zoho Mail'],
    [['emx.mail.ru'], 'Mail.ru'],
    [['qiye163mx01.mxmail.netease.com'], 'NetEase'],
    [['mx1.qiye.aliyun.com'], 'Alibaba Cloud'],
    [['smtp.secureserver.net'], 'GoDaddy'],
    [['mx1.privateemail.com'], 'Namecheap'],
    [['eforward1.registrar-servers.com'], 'Namecheap'],
    [['mx1.emailsrvr.com'], 'Rackspace'],
    [['mx1.titan.email'], 'Titan'],
    [['mx1.hostinger.com'], 'Hostinger'],
    [['aspmx1.migadu.com'], 'Migadu'],
    [['mxext1.mailbox.org'], 'mailbox.org'],
    [['mail.tutanota.de'], 'Tuta'],
    [['mta-gw.infomaniak.ch'], 'Infomaniak'],
    [['mx00.ionos.co.uk'], 'IONOS'],
    [['mailserver.purelymail.com'], 'Purelymail'],
    [['mx1.larksuite.com', 'mx2.larksuite.com'], 'Lark'],
    [['www123.your-server.de'], 'Hetzner'],
    [['mx1.forwardemail.net'], 'Forward Email'],
    [['mx1.improvmx.com'], 'ImprovMX'],
    [['esa1.acme.iphmx.com'], 'Cisco'],
    [['redirect.ovh.net'], 'OVHcloud'],
    [['mx1-hosting.jellyfish.systems'], 'Namecheap'],
    [['mx1.hotmail.com'], 'Outlook.com'],
    [['mx1.mail.yahoo.co.jp'], 'Yahoo! JAPAN'],
    // Servers of customers.
    [['ec2-198-51-100-7.compute-1.amazonaws.com'], null],
    [['vps12345.ovh.net'], null],
    [['ip-198-51-100-7.ip.secureserver.net'], null],
    [['', 'mx.yandex.net'], 'Yandex'],
    [['mx.acme-host.com', 'aspmx.l.google.com'], null],
    [['google.com.acme-host.com'], null],
    [['notgoogle.com'], null],
  ] as [string[], string | null][])
    it(`${exchanges.join(', ')} is ${provider}`, async () => {
      assert.equal((await findDetails('ann@acme.com', mx(...exchanges))).provider, provider);
    });

  it('a domain without MX is null', async () => {
    assert.equal((await findDetails('ann@acme.com', { outcome: 'address' })).provider, null);
  });
});

describe('the canonical address', () => {
  for (const [email, facts, normalized] of [
    ['Ann.Lee+x@acme.com', mx('aspmx.l.google.com'), 'Ann.Lee@acme.com'],
    ['Ann.Lee+x@acme.com', mx('acme-com.mail.protection.outlook.com'), 'Ann.Lee@acme.com'],
    ['Ann.Lee+x@acme.com', mx('acme-com.o-v1.mx.microsoft', 'mx.acme.com'), 'Ann.Lee@acme.com'],
    ['Ann.Lee+x@acme.com', mx('mx.acme.com', 'aspmx.l.google.com'), 'Ann.Lee+x@acme.com'],
    ['Ann.Lee+x@acme.com', mx('us-smtp-inbound-1.mimecast.com'), 'Ann.Lee+x@acme.com'],
    ['Ann.Lee+x@acme.com', mx('mail.protonmail.ch'), 'Ann.Lee+x@acme.com'],
    [
      'group+unsubscribe@googlegroups.com',
      mx('gmr-smtp-in.l.google.com'),
      'group+unsubscribe@googlegroups.com',
    ],
    ['Ann.Lee+x@acme.com', { outcome: 'unknown', reason: 'timeout' }, 'Ann.Lee+x@acme.com'],
    ['Ann.Lee+x@acme.com', null, 'Ann.Lee+x@acme.com'],
    ['Ann.Lee+x@gmail.com', null, 'annlee@gmail.com'],
    ['ann-shop@yahoo.com', mx('mta7.am0.yahoodns.net'), 'ann-shop@yahoo.com'],
  ] as [string, MailFacts | null, string][])
    it(`of ${email} with ${JSON.stringify(facts)} is ${normalized}`, async () => {
      assert.equal((await findDetails(email, facts)).normalized, normalized);
    });
});

describe('a relay', () => {
  for (const [email, facts, relay] of [
    ['x1@duck.com', USUAL, true],
    ['x1@sub.anonaddy.com', null, true],
    ['x1@privaterelay.appleid.com', null, true],
    ['x1@myclkd.email', USUAL, true],
    ['word.3.ann@spamgourmet.com', USUAL, true],
    ['word.3.ann@xoxy.net', mx('gourmet.spamgourmet.com'), true],
    ['ann@sneakemail.com', USUAL, true],
    ['ann@sudomail.com', USUAL, true],
    ['x1@appleid.com', USUAL, false],
    ['x1@acme.com', mx('mx1.simplelogin.co', 'mx2.simplelogin.co'), true],
    ['x1@acme.com', mx('mx1.simplelogin.co', 'mx.acme.com'), false],
    ['x1@gmail.com', USUAL, false],
  ] as [string, MailFacts | null, boolean][])
    it(`${email} with ${JSON.stringify(facts)}: ${relay}`, async () => {
      assert.equal((await findDetails(email, facts)).relay, relay);
    });

  it('is never disposable', async () => {
    for (const domain of RELAY_DOMAINS)
      assert.ok(!(await findDetails(`x1@${domain}`, USUAL)).reasons.includes('disposable'), domain);
  });
});
