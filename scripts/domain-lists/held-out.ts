import { createHash } from 'node:crypto';
import { parse } from 'tldts';
import type { History } from './histories.ts';
import type { Source } from './sources.ts';

const GITHUB = 'https://github.com/';

/**
 * Domains that services offered, as observed by others. The build reads neither list, and no name is copied:
 * `npm run lists -- replay` judges the build by them.
 */
export const HELD_OUT_HISTORIES = {
  emailondeck: {
    repository: `${GITHUB}GeroldSetz/emailondeck.com-domains`,
    commit: '8a659303c505a3a3b2d43785a057c575b2243169',
    files: ['emailondeck.com_domains_from_bdea.cc.txt'],
    license: 'CC-BY-4.0',
  },
  kukulu: {
    repository: `${GITHUB}chan-mai/kukulu-disposable-email-list`,
    commit: 'f4bdb428398e7db34cffd82ea91838e6aa5b78eb',
    files: ['domains.txt'],
    license: 'CC0-1.0',
  },
} satisfies Record<string, History>;

/** Companies and mail providers that the build does not read. */
export const HELD_OUT_SOURCES = {
  banks: {
    file: 'banks.json',
    sha256: 'a6df5d04f008c1c2bc7a7cfdbf0ab6108406ba61f49380a9f8bf7ebb74f2cda4',
    from: {
      repository: `${GITHUB}MISP/misp-warninglists`,
      commit: 'f40ada7702a61a38dbe5e2c9c4a77047bca8251f',
      path: 'lists/bank-website/list.json',
    },
    license: 'CC0-1.0',
  },
  brands: {
    file: 'simple-icons.json',
    sha256: '5eb306dd36aaee7dff94a3ffbabe264d1baf6c6535ebaec86bcf6b078cfe7c95',
    from: { npm: 'simple-icons@16.31.0', path: 'data/simple-icons.json' },
    license: 'CC0-1.0',
  },
  providers: {
    file: 'nodemailer-services.json',
    sha256: 'e4581edb26e207b7d64a79371fd6343e37d9c622c323138d891486141ec9e6d0',
    from: { npm: 'nodemailer@7.0.6', path: 'lib/well-known/services.json' },
    license: 'MIT-0',
  },
} satisfies Record<string, Source>;

/** Picks companies and providers: the names with the lowest hashes, so that each run has the same. */
export function pickCompanies(texts: Record<keyof typeof HELD_OUT_SOURCES, string>, count: number): string[] {
  const banks = (JSON.parse(texts.banks) as { list: string[] }).list;
  const brands = (JSON.parse(texts.brands) as { source: string }[]).map(({ source }) => source);
  const services = Object.values(JSON.parse(texts.providers) as Record<string, { domains?: string[] }>);
  const named = [...banks, ...brands, ...services.flatMap(({ domains = [] }) => domains)];
  // Brands link pages of their own, or of a host of code: the registrable domain is a company in both cases.
  const domains = new Set(
    named.map((name) => parse(name.replace(/^\./, '')).domain).filter((one) => one !== null),
  );
  const hashed = [...domains].map((name) => ({
    name,
    hash: createHash('sha256').update(name).digest('hex'),
  }));
  return hashed
    .toSorted((one, other) => (one.hash < other.hash ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}
