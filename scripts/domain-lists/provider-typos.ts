import { NO_DOMAINS, loadDomainLists } from '../../src/email/lists/domain-lists.ts';
import { suggestForDomain } from '../../src/email/suggest/suggest-domain.ts';

/** The misspellings of providers. */
export interface ProviderTypos {
  has(name: string): boolean;
  /** True for a name that is corrected at least if it accepts no mail. */
  hasWithoutMail(name: string): boolean;
}

/** Labels of smaller providers, and shorter ones, are used by others too. */
const MIN_WEIGHT = 25;
const MIN_LABEL = 5;

/**
 * Recognizes a name that the service corrects to a provider: a misspelling that is called disposable must
 * still be corrected. And a large provider's label with another common suffix, such as `icloud.hu`: it is the
 * provider's own, or a misspelling. The lists of providers and typos are those in `src/email/data`.
 */
export function recognizeTypos(familyLines: readonly string[]): ProviderTypos {
  const lists = { ...loadDomainLists(), disposable: NO_DOMAINS, free: new Set<string>() };
  const { domains } = lists.suggestions;
  const none = { mailDomains: new Set<string>(), neighbors: new Set<string>() };
  const unprotected = { ...lists, suggestions: { ...lists.suggestions, ...none } };
  const labels = new Set(familyLines.flatMap(listLargeLabel));
  return {
    has: (name) =>
      hasOtherSuffix(name, labels) || domains.has(suggestForDomain(name, lists, false)?.domain ?? ''),
    hasWithoutMail: (name) => domains.has(suggestForDomain(name, unprotected, true)?.domain ?? ''),
  };
}

function listLargeLabel(line: string): string[] {
  const [weight, label = ''] = line.split(/\s+/);
  const isLarge = Number(weight) >= MIN_WEIGHT && label.length >= MIN_LABEL && !label.startsWith('~');
  return isLarge ? [label] : [];
}

function hasOtherSuffix(name: string, labels: ReadonlySet<string>): boolean {
  const [, label = ''] = /^([^.]+)\.(?:com|net|org|(?:com?\.)?[a-z]{2})$/.exec(name) ?? [];
  return labels.has(label);
}
