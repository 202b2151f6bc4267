import { readFileSync } from 'node:fs';
import { parse } from 'tldts';

/** Facts about a domain from the lists of top-level domains, public suffixes and reserved names. */
export interface DomainFacts {
  /** The last label is in the root zone by IANA's list, or in the public suffix list, which may be newer. */
  hasKnownTld: boolean;
  /** Reserved: it never receives mail on the public Internet, and no query may be sent for it. */
  isSpecialUse: boolean;
  /** The domain itself is a suffix under which others register (`co.uk`, `github.io`), so it has no owner. */
  isPublicSuffix: boolean;
  /** The name one label below the public suffix; null for a public suffix. */
  registrable: string | null;
  /** By the list's ICANN section and its private one; empty without a known top-level domain. */
  publicSuffix: string;
}

const PSL_OPTIONS = {
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
  detectSpecialUse: false,
  allowPrivateDomains: true,
} as const;

/**
 * Last labels reserved by RFC 6761, 6762, 7686, 8375 and 9476, the infrastructure domain `arpa`, `internal`
 * (ICANN board, 2024), and names that ICANN never delegates because private networks use them (`corp`,
 * `home`, `mail`).
 */
const SPECIAL_TLDS: ReadonlySet<string> = new Set(
  'test example invalid localhost local onion alt arpa internal corp home mail lan localdomain'.split(' '),
);

/** IANA's list of the root zone; see scripts/update-top-level-domains.ts. The first line is its version. */
const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(
  readFileSync(new URL('top-level-domains.txt', import.meta.url), 'latin1')
    .trimEnd()
    .split('\n')
    .slice(1),
);

/** Returns the facts about an A-label domain in lower case. */
export function getDomainFacts(domain: string): DomainFacts {
  const tld = domain.slice(domain.lastIndexOf('.') + 1);
  const result = parse(domain, PSL_OPTIONS);
  // The suffix list has no rule for some domains of the root zone: it has co.za, but not za.
  const hasKnownTld = TOP_LEVEL_DOMAINS.has(tld) || result.isIcann === true || result.isPrivate === true;
  return {
    hasKnownTld,
    isSpecialUse: SPECIAL_TLDS.has(tld),
    isPublicSuffix: hasKnownTld && result.domain === null,
    registrable: result.domain,
    publicSuffix: hasKnownTld ? (result.publicSuffix ?? '') : '',
  };
}

/** Lists the domain and its parents down to the registrable one, nearest first. Empty for a public suffix. */
export function listOwnerDomains(domain: string, facts: DomainFacts): string[] {
  const { registrable } = facts;
  if (registrable === null) return [];
  const owners = [domain];
  let current = domain;
  while (current.length > registrable.length) {
    current = current.slice(current.indexOf('.') + 1);
    owners.push(current);
  }
  return owners;
}

/** Finds the nearest of a name and its parents for which `isMatch` holds; null without one. */
export function findParent(name: string, isMatch: (name: string) => boolean): string | null {
  for (let current = name; ;) {
    if (isMatch(current)) return current;
    const dot = current.indexOf('.');
    if (dot === -1) return null;
    current = current.slice(dot + 1);
  }
}
