/**
 * A file of a public list with all its versions up to a commit. The versions are read with plain git. The
 * commit pins them: it is a hash of the files and of all commits before it.
 */
export interface History {
  repository: string;
  commit: string;
  /** The list, under all names that it has had. */
  files: readonly string[];
  /** SPDX identifier; NOTICE has the text. */
  license: string;
}

const GITHUB = 'https://github.com/';
const REVIEWED = {
  repository: `${GITHUB}disposable-email-domains/disposable-email-domains`,
  commit: 'a6458931ee3eee7fbacc867bd43133be0bca6c30',
  license: 'CC0-1.0',
};
const AGGREGATE_SOURCES = {
  repository: `${GITHUB}disposable/disposable`,
  commit: 'b5e3dcebcf48829541f5c4dec876f510fcbf1b8d',
  license: 'MIT',
};
const IVOLO = {
  repository: `${GITHUB}ivolo/disposable-email-domains`,
  commit: '24df858d3227dddaabda35f5f4a601441533165a',
  license: 'MIT',
};

/** All histories of lists, by their names in the build. */
export const HISTORIES = {
  reviewed: { ...REVIEWED, files: ['disposable_email_blocklist.conf', 'disposable_email_blacklist.conf'] },
  reviewedAllowed: { ...REVIEWED, files: ['allowlist.conf', 'whitelist.conf'] },
  wesbos: {
    repository: `${GITHUB}wesbos/burner-email-providers`,
    commit: 'd676e736ceca59de826b1457878661d7f899c97e',
    files: ['emails.txt'],
    license: 'MIT',
  },
  mailchecker: {
    repository: `${GITHUB}FGRibreau/mailchecker`,
    commit: 'fb4cc00581477cfe3f6351c807ff72042ce28d9c',
    files: ['list.txt', 'list.json'],
    license: 'MIT',
  },
  ivolo: { ...IVOLO, files: ['index.json', 'wildcard.json'] },
  /** It copies the lists above, and adds the domains that generators of addresses offer when it asks them. */
  aggregate: {
    repository: `${GITHUB}disposable/disposable-email-domains`,
    commit: '1378ead41edfe338e6cc659b8db1b696e016d3ef',
    files: ['domains.txt'],
    license: 'MIT',
  },
  /** Domains that generator.email offered in 2022, and others that the authors of the aggregate found. */
  offered: {
    repository: `${GITHUB}disposable/static-disposable-lists`,
    commit: '3362f73c732727bcaeead1520d478d7eb1b042d6',
    files: ['generator-email-hosts.txt', 'mail-data-hosts-net.txt', 'manual.txt'],
    license: 'MIT',
  },
  aggregateAllowed: { ...AGGREGATE_SOURCES, files: ['whitelist.txt', 'greylist.txt'] },
  /** Its list of disposable domains is a copy of the others; what it allows is its own. */
  amieiroAllowed: {
    repository: `${GITHUB}amieiro/disposable-email-domains`,
    commit: '07d4add83dedcf4ff437b540056aed80cd2a9bb7',
    files: ['allowDomains.txt'],
    license: 'MIT',
  },
} satisfies Record<string, History>;

export type HistoryName = keyof typeof HISTORIES;
