import { getDomainFacts } from '../domain/domain-facts.ts';
import { parseDomain } from '../domain/parse-domain.ts';
import type { DomainLists } from './domain-lists.ts';

/**
 * The reason why an entry of a public list is not used. `malformed`: it is not a domain, or has no existing
 * top-level domain; `public_suffix`: strangers register below it; `never_disposable`: a relay or an ordinary
 * provider.
 */
export type EntryFault = 'malformed' | 'public_suffix' | 'never_disposable';

const COMMENT = /^(?:#|\/\/|;|!)/;
const COMMENT_AFTER_NAME = /\s(?:#|\/\/|;).*$/s;
/** `*.acme.com`, `.acme.com`, `@acme.com` and `*@acme.com` mean the domain, as an entry always does. */
const PREFIX = /^\*?[.@]/;

/** Returns the domain as a line has it, without comment, prefix and final dot; '' if there is none. */
export function trimListLine(line: string): string {
  // A byte order mark and CR are white space to trim().
  const text = line.trim();
  if (COMMENT.test(text)) return '';
  const name = text.replace(COMMENT_AFTER_NAME, '').trimEnd().replace(PREFIX, '');
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** Parses the domain of an entry into A-labels in lower case, or returns the reason why it is not used. */
export function parseListEntry(text: string, lists: DomainLists): { name: string } | EntryFault {
  const domain = parseDomain(text);
  if (typeof domain === 'string') {
    const isTopLevel = domain === 'domain_without_dot' && getDomainFacts(text.toLowerCase()).hasKnownTld;
    return isTopLevel ? 'public_suffix' : 'malformed';
  }
  const facts = getDomainFacts(domain.ascii);
  if (facts.isPublicSuffix) return 'public_suffix';
  if (!facts.hasKnownTld) return 'malformed';
  return lists.neverDisposable.has(domain.ascii) ? 'never_disposable' : { name: domain.ascii };
}
