import type { DomainLists } from '../../src/email/lists/domain-lists.ts';
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
 * Recognizes a known misspelling, a large provider's label with another common suffix (`icloud.hu`, which may
 * be the provider's own), and a name that is one slip from a large provider: a letter more or less,
 * another letter, two letters swapped, a digit before it. The first letter is rarely mistyped: `tmail.com` is
 * another name.
 */
export function recognizeTypos(knownLines: readonly string[], familyLines: readonly string[]): ProviderTypos {
  const known = new Set(knownLines.map((line) => line.slice(0, line.indexOf(' '))));
  const families = familyLines.map((line) => {
    const [weight, label = '', ...suffixes] = line.split(/\s+/);
    return { weight: Number(weight), label, suffixes };
  });
  const large = families.filter(
    ({ weight, label }) => weight >= MIN_WEIGHT && label.length >= MIN_LABEL && !label.startsWith('~'),
  );
  const labels = new Set(large.map(({ label }) => label));
  const providers = large.flatMap(({ label, suffixes }) => suffixes.map((suffix) => `${label}.${suffix}`));
  const isSlip = (name: string) => providers.some((provider) => isOneSlip(name, provider));
  const lists = createLists(knownLines, familyLines);
  return {
    has: (name) => known.has(name) || isOtherSuffix(name, labels) || isSlip(name),
    isCorrected: (name) => suggestDomain(name, lists)?.overridesMail ?? false,
  };
}

/** Creates the lists of a service that knows only providers and their known misspellings. */
function createLists(typos: readonly string[], providers: readonly string[]): DomainLists {
  const none = new Set<string>();
  return {
    operator: { allowed: NO_DOMAINS, blocked: NO_DOMAINS },
    disposable: NO_DOMAINS,
    neverDisposable: none,
    disposableMailHosts: none,
    free: none,
    roles: none,
    suggestions: buildSuggestionIndex(providers, typos, { mailDomains: none, neighbors: none }),
  };
}

function isOtherSuffix(name: string, labels: ReadonlySet<string>): boolean {
  const [, label = ''] = /^([^.]+)\.(?:com|net|org|[a-z]{2})$/.exec(name) ?? [];
  return labels.has(label);
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
