/** The rule by which a provider matches addresses to mailboxes. All of these providers ignore case. */
export interface MailboxRule {
  provider: string;
  domains: readonly string[];
  /** All domains reach the mailbox of this domain; null if each domain has mailboxes of its own. */
  mainDomain: string | null;
  /** `name+tag` reaches the mailbox of `name`. */
  hasTags: boolean;
  /** Converts the spellings of a name that reach the same mailbox to one. */
  foldName: ((name: string) => string) | null;
  /** `tag@name.domain` reaches `name@domain`. */
  hasSubdomains: boolean;
  /** The rule in words, for docs/reference/email.md. */
  says: string;
  example: readonly [address: string, normalized: string];
  /** Pages that say so, and those that list the domains. */
  sources: readonly string[];
}

const PLAIN = { mainDomain: null, hasTags: false, foldName: null, hasSubdomains: false } as const;
const TAGS = { ...PLAIN, hasTags: true } as const;

const ISPDB = 'https://github.com/thunderbird/autoconfig/tree/master/ispdb';
const PROVIDER_DB = 'https://github.com/deltachat/provider-db/tree/master/_providers';
const VALIDATOR = 'https://github.com/validatorjs/validator.js/blob/master/src/lib/normalizeEmail.js';
/** A library that tests its rules against the providers; for rules that the provider does not describe. */
const EMAIL_NORMALIZE = 'https://github.com/gmr/email-normalize';

/**
 * The rules of consumer mailboxes, each from a page of the provider or from several independent
 * implementations. A provider or a rule that no source describes is left out: two spellings of one address
 * that stay two do less harm than two people who become one.
 */
export const MAILBOX_RULES: readonly MailboxRule[] = [
  {
    ...TAGS,
    provider: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    mainDomain: 'gmail.com',
    foldName: (name) => name.replaceAll('.', ''),
    says: 'tags; dots do not count; both domains are one',
    example: ['Ann.Lee+x@googlemail.com', 'annlee@gmail.com'],
    sources: [
      'https://support.google.com/mail/answer/10313',
      'https://support.google.com/mail/answer/7436150',
      'https://support.google.com/mail/answer/12096',
    ],
  },
  {
    ...TAGS,
    provider: 'Outlook.com',
    domains: [
      ...under(
        'outlook',
        'com at be bg cl cz de dk es fr hu id ie in it jp kr lv my nl ph pt ro sa sg sk tw co.id co.il co.jp',
        'co.nz co.th co.uk com.ar com.au com.br com.gr com.hr com.pe com.py com.tr com.tw com.ua com.vn',
      ),
      ...under(
        'hotmail',
        'com at be ca ch cl cz de dk es fi fr gr hu id ie in it jp kr lt lv my nl no ph pt rs sa se sg sk',
        'co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.gr com.hk com.mx com.my',
        'com.pe com.tr com.tw com.vn',
      ),
      ...under(
        'live',
        'com at be ca cl cn de dk es eu fi fr hk ie in it jp nl no ru se co.in co.jp co.kr co.uk co.za com.ar',
        'com.au com.mx com.my com.ph com.pk com.pt com.sg',
      ),
      ...under('msn', 'com cn co.uk de fr it nl'),
      'passport.com',
      'windowslive.com',
      'livemail.tw',
    ],
    says: 'tags; each domain has its own mailboxes',
    example: ['Ann.Lee+x@hotmail.co.uk', 'ann.lee@hotmail.co.uk'],
    sources: [
      'https://support.microsoft.com/office/459b1989-356d-40fa-a689-8f285b13f1f2',
      `${ISPDB}/hotmail.com.xml`,
      VALIDATOR,
    ],
  },
  {
    ...PLAIN,
    provider: 'Yahoo',
    domains: [
      ...under(
        'yahoo',
        'com ae at be ca ch cn cz de dk es fi fr gr hu ie in it nl no pl pt ro ru se co.id co.il co.in co.jp co.kr',
        'co.nz co.th co.uk co.za com.ar com.au com.br com.cl com.cn com.co com.ec com.hk com.mx com.my com.pe',
        'com.ph com.pk com.sa com.sg com.tr com.tw com.ua com.ve com.vn',
      ),
      'ymail.com',
      'rocketmail.com',
      'myyahoo.com',
      'y7mail.com',
    ],
    says: 'no tags; `base-keyword` is kept, because the base name of such an address is not the name of its account',
    example: ['Ann-Shop@ymail.com', 'ann-shop@ymail.com'],
    sources: ['https://help.yahoo.com/kb/SLN28815.html', `${ISPDB}/yahoo.com.xml`],
  },
  {
    ...TAGS,
    provider: 'iCloud Mail',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    mainDomain: 'icloud.com',
    says: 'tags; an address at me.com or mac.com has its owner at icloud.com too',
    example: ['Ann.Lee+x@me.com', 'ann.lee@icloud.com'],
    sources: ['https://support.apple.com/en-us/118230', EMAIL_NORMALIZE],
  },
  {
    ...TAGS,
    provider: 'Proton Mail',
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    mainDomain: 'proton.me',
    foldName: (name) => name.replace(/[._-]/g, ''),
    says: 'tags; `.`, `-` and `_` do not count; a name has the same owner at all domains',
    example: ['Ann.Lee-1+x@pm.me', 'annlee1@proton.me'],
    sources: [
      'https://proton.me/support/change-username',
      'https://proton.me/support/addresses-and-aliases',
      'https://protonmail.com/support/knowledge-base/pm-me-addresses',
    ],
  },
  {
    ...TAGS,
    provider: 'Yandex',
    domains: [...under('yandex', 'ru com by kz ua com.tr'), 'ya.ru', 'narod.ru'],
    mainDomain: 'yandex.ru',
    foldName: (name) => name.replaceAll('.', '-'),
    says: 'tags; a dot is a hyphen; all domains are one',
    example: ['Ann.Lee+x@ya.ru', 'ann-lee@yandex.ru'],
    sources: [
      'https://yandex.com/support/id/authorization/email.html',
      'https://yandex.com/support/yandex-360/customers/mail/en/web/security/strange-letters.html',
      'https://yandex.com/support/yandex-360/customers/mail/en/reg',
      `${PROVIDER_DB}/yandex.ru.md`,
    ],
  },
  {
    ...TAGS,
    provider: 'Fastmail',
    domains: words(
      '123mail.org 150mail.com 150ml.com 16mail.com 2-mail.com 4email.net 50mail.com airpost.net',
      'aliencamel.com allmail.net bestmail.us cluemail.com elitemail.org emailcorner.net emailengine.net',
      'emailengine.org emailgroups.net emailplus.org emailuser.net eml.cc f-m.fm fast-email.com fast-mail.org',
      'fastem.com fastemail.us fastemailer.com fastest.cc fastimap.com fastmail.ca fastmail.cn fastmail.co.uk',
      'fastmail.com fastmail.com.au fastmail.de fastmail.es fastmail.fm fastmail.fr fastmail.im fastmail.in',
      'fastmail.jp fastmail.mx fastmail.net fastmail.nl fastmail.org fastmail.se fastmail.to fastmail.tw',
      'fastmail.uk fastmail.us fastmailbox.net fastmessaging.com fea.st fmail.co.uk fmailbox.com fmgirl.com',
      'fmguy.com foobox.com foobox.net ftml.net h-mail.us hailmail.net imap-mail.com imap.cc imapmail.org',
      'immerbox.com immermail.com inoutbox.com internet-e-mail.com internet-mail.org internetemails.net',
      'internetmailing.net jetemail.net justemail.net letterboxes.org lifetimeaddress.com mail-central.com',
      'mail-page.com mailandftp.com mailas.com mailbolt.com mailc.net mailcan.com mailforce.net mailftp.com',
      'mailhaven.com mailingaddress.org mailite.com mailmight.com mailnew.com mailsent.net mailservice.ms',
      'mailup.net mailworks.org mailzone.com ml1.net mm.st myfastmail.com mymacmail.com nospammail.net',
      'onepost.net ownmail.net penguinmail.com permanentmail.com petml.com pobox.com postinbox.com',
      'postpro.net proinbox.com promessage.com realemail.net reallyfast.biz reallyfast.info rushpost.com',
      'sent.as sent.at sent.com siemprebox.com siempremail.com speedpost.net speedymail.org ssl-mail.com',
      'swift-mail.com the-fastest.net the-quickest.com theinternetemail.com veribox.net veryfast.biz',
      'veryspeedy.net warpmail.net xsmail.com yepmail.net your-mail.com',
    ),
    hasSubdomains: true,
    says: 'tags, also as `tag@name.fastmail.com`; each domain has its own mailboxes',
    example: ['shop@Ann.fastmail.com', 'ann@fastmail.com'],
    sources: [
      'https://www.fastmail.help/hc/en-us/articles/360060591053',
      'https://www.fastmail.help/hc/en-us/articles/6239365719055',
      `${PROVIDER_DB}/fastmail.md`,
    ],
  },
  {
    ...TAGS,
    provider: 'Zoho Mail',
    domains: [
      ...under('zoho', 'com eu in com.au jp'),
      ...under('zohomail', 'com eu in com.au jp'),
      'zohocloud.ca',
      'zohomailcloud.ca',
    ],
    says: 'tags; each domain has its own mailboxes',
    example: ['Ann.Lee+x@zohomail.eu', 'ann.lee@zohomail.eu'],
    sources: [EMAIL_NORMALIZE, ISPDB],
  },
  {
    ...TAGS,
    provider: 'mailbox.org',
    domains: ['mailbox.org'],
    says: 'tags',
    example: ['Ann.Lee+x@mailbox.org', 'ann.lee@mailbox.org'],
    sources: ['https://kb.mailbox.org/en/business/account-article/what-is-an-alias-and-how-do-i-use-it'],
  },
];

const RULE_BY_DOMAIN: ReadonlyMap<string, MailboxRule> = new Map(
  MAILBOX_RULES.flatMap((rule) => rule.domains.map((domain) => [domain, rule] as const)),
);

/** Finds the rule of a domain (A-labels, lower case); null without one. */
export function findMailboxRule(domain: string): MailboxRule | null {
  return RULE_BY_DOMAIN.get(domain) ?? null;
}

function words(...lines: string[]): string[] {
  return lines.join(' ').split(' ');
}

/** Lists the domains of a label under several suffixes. */
function under(label: string, ...suffixes: string[]): string[] {
  return words(...suffixes).map((suffix) => `${label}.${suffix}`);
}
