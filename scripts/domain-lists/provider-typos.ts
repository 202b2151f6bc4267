import { NO_DOMAINS } from '../../src/email/lists/domain-set.ts';
import { suggestDomain } from '../../src/email/suggest/suggest-domain.ts';
import { buildSuggestionIndex } from '../../src/email/suggest/suggestion-index.ts';

/** The misspellings of providers. */
export interface ProviderTypos {
  has(name: string): boolean;
  /** The service would correct the name whatever DNS says about it. */
  isCorrected(name: string): boolean;
}

/** Providers of fewer users are too rarely meant. Shorter labels are too near to other names. */
const MIN_WEIGHT = 25;
const MIN_LABEL = 5;

/**
 * Recognizes a known misspelling, and a name that is one slip from a large provider: a letter more or less,
 * another letter, two letters swapped, a digit before it. The first letter is rarely mistyped: `tmail.com` is
 * another name.
 */
export function recognizeTypos(knownLines: readonly string[], familyLines: readonly string[]): ProviderTypos {
  const known = new Set(knownLines.map((line) => line.slice(0, line.indexOf(' '))));
  const providers = familyLines.flatMap((line) => {
    const [weight, label = '', ...suffixes] = line.split(/\s+/);
    if (Number(weight) < MIN_WEIGHT || label.length < MIN_LABEL || label.startsWith('~')) return [];
    return suffixes.map((suffix) => `${label}.${suffix}`);
  });
  const isSlip = (name: string) => providers.some((provider) => isOneSlip(name, provider));
  const none = new Set<string>();
  const lists = {
    operator: { allowed: NO_DOMAINS, blocked: NO_DOMAINS },
    disposable: NO_DOMAINS,
    neverDisposable: none,
    disposableMailHosts: none,
    free: none,
    roles: none,
    suggestions: buildSuggestionIndex(familyLines, knownLines, { mailDomains: none, neighbors: none }),
  };
  return {
    has: (name) => known.has(name) || isSlip(name),
    isCorrected: (name) => suggestDomain(name, lists)?.overridesMail ?? false,
  };
}

function isOneSlip(name: string, provider: string): boolean {
  if (Math.abs(name.length - provider.length) > 1 || name === provider) return false;
  let start = 0;
  while (start < name.length && name[start] === provider[start]) start++;
  const [typed, meant] = [name.slice(start), provider.slice(start)];
  const isSwap = typed[0] === meant[1] && typed[1] === meant[0] && typed.slice(2) === meant.slice(2);
  if (start === 0) return isSwap || (/^\d/.test(typed) && typed.slice(1) === meant);
  return isSwap || typed.slice(1) === meant.slice(1) || typed.slice(1) === meant || typed === meant.slice(1);
}
