import { runInSlices } from '#concurrency';
import { getPublicSuffix } from 'tldts';
import { getDomainFacts } from '../domain/domain-facts.ts';
import { parseDomain } from '../domain/parse-domain.ts';
import type { DomainLists } from './domain-lists.ts';

/**
 * The reason why an entry of a public list is not used. `malformed`: it is not a domain, or has no existing
 * top-level domain; `public_suffix`: strangers register below it; `never_disposable`: a relay or an ordinary
 * provider.
 */
type EntryFault = 'malformed' | 'public_suffix' | 'never_disposable';

const COMMENT = /^(?:#|\/\/|;|!)/;
const COMMENT_AFTER_NAME = /\s(?:#|\/\/|;).*$/s;
/** `*.acme.com`, `.acme.com`, `@acme.com` and `*@acme.com` mean the domain, as an entry always does. */
const PREFIX = /^\*?[.@]/;

/** Returns the domain as a line has it, without comment, prefix and final dot; '' if there is none. */
function trimListLine(line: string): string {
  // A byte order mark and CR are white space to trim().
  const text = line.trim();
  if (COMMENT.test(text)) return '';
  const name = text.replace(COMMENT_AFTER_NAME, '').trimEnd().replace(PREFIX, '');
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** Parses the domain of an entry into A-labels in lower case, or returns the reason why it is not used. */
function parseListEntry(text: string, lists: DomainLists): { name: string } | EntryFault {
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

/** The fetch fails beyond this size. The largest public list has a third of it. */
export const MAX_LIST_BYTES = 8 * 1024 * 1024;
const MIN_ENTRIES = 1000;
/** Public lists have up to 0.2 % bad entries. A page with an error message has almost nothing else. */
const MAX_BAD_SHARE = 0.02;
/** Up to 2.1 % of public lists are disputed: providers, sites, removals. A list of providers has most. */
const MAX_DISPUTED_SHARE = 0.1;
/** A list that grows or shrinks by a larger share is a mistake or an attack. */
const MAX_CHANGE = 0.3;
/** Entries per slice: a few milliseconds. */
const SLICE = 1000;

/** The number of entries that are not used, by reason. */
export type DroppedEntries = Record<EntryFault, number>;

interface ParsedList {
  /** A-labels in lower case. */
  names: ReadonlySet<string>;
  dropped: DroppedEntries;
}

/** A fetched list is not used; the message is for the log. */
export class ListRefusal extends Error {
  override name = 'ListRefusal';
}

/**
 * Parses a list of disposable domains: one per line, with comments, or a JSON array of strings. Drops and
 * counts entries that are not used. Rejects with a `ListRefusal` if they are too many. Works in slices.
 */
export async function parseFetchedList(text: string, lists: DomainLists): Promise<ParsedList> {
  const entries = /^\s*\[/.test(text) ? iterateJsonStrings(text) : iterateLines(text);
  const names = new Set<string>();
  const dropped: DroppedEntries = { malformed: 0, public_suffix: 0, never_disposable: 0 };
  let total = 0;
  let firstBad: string | null = null;
  await runInSlices(() => {
    for (let count = 0; count < SLICE; count++) {
      const { done, value } = entries.next();
      if (done) return true;
      const line = trimListLine(value);
      if (line === '') continue;
      total++;
      const entry = parseListEntry(line, lists);
      if (typeof entry !== 'string') names.add(entry.name);
      else {
        dropped[entry]++;
        if (entry !== 'never_disposable') firstBad ??= line;
      }
    }
    return false;
  });
  const bad = dropped.malformed + dropped.public_suffix;
  const shown = JSON.stringify(String(firstBad).slice(0, 80));
  if (bad > total * MAX_BAD_SHARE)
    throw new ListRefusal(`${bad} of its ${total} entries are bad, more than 2 %; the first is ${shown}`);
  const disputed = dropped.never_disposable;
  if (disputed > total * MAX_DISPUTED_SHARE)
    throw new ListRefusal(`${disputed} of its ${total} entries are never disposable, more than 10 %`);
  if (names.size < MIN_ENTRIES)
    throw new ListRefusal(`it has ${names.size} entries, fewer than ${MIN_ENTRIES}`);
  return { names, dropped };
}

/** True if a list changes by over 30 % of its entries; false for the first list (`before` is 0). */
export function isLargeChange(before: number, after: number): boolean {
  return before > 0 && Math.abs(after - before) > before * MAX_CHANGE;
}

/** Iterates the lines of a text from an index on. */
export function* iterateLines(text: string, first = 0): Generator<string, void> {
  for (let start = first; start < text.length;) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end === -1 ? text.length : end);
    if (end === -1) return;
    start = end + 1;
  }
}

/**
 * Iterates the strings of a JSON array. JSON.parse would block the event loop until the whole array is
 * parsed.
 */
function* iterateJsonStrings(text: string): Generator<string, void> {
  const element = /\s*"((?:[^"\\]|\\.)*)"\s*([,\]])/y;
  element.lastIndex = text.indexOf('[') + 1;
  for (let separator = ','; separator === ',';) {
    const start = element.lastIndex;
    const match = element.exec(text);
    if (match === null) throw new ListRefusal(`it is no JSON array of strings, at character ${start}`);
    const [, value = '', next = ''] = match;
    yield value.includes('\\') ? parseEscapes(value, start) : value;
    separator = next;
  }
}

function parseEscapes(value: string, start: number): string {
  try {
    return JSON.parse(`"${value}"`) as string;
  } catch {
    throw new ListRefusal(`it is no JSON array of strings, at character ${start}`);
  }
}

/** An operator's list has a line that is wrong, or cannot be read. The message says what and where. */
export class OperatorListError extends Error {
  override name = 'OperatorListError';
}

/**
 * Parses an operator's list: one domain per line, with comments. Rejects with an `OperatorListError` that
 * names the first bad line: a mistake in a list that overrides all others must not pass silently. A private
 * public suffix (`pp.ua`) is accepted and means all domains below it; one like `co.uk` is a mistake.
 */
export async function parseOperatorList(text: string): Promise<ReadonlySet<string>> {
  const lines = iterateLines(text);
  const names = new Set<string>();
  let number = 0;
  await runInSlices(() => {
    for (let count = 0; count < SLICE; count++) {
      const { done, value } = lines.next();
      if (done) return true;
      number++;
      const line = trimListLine(value);
      if (line !== '') names.add(parseLine(line, number));
    }
    return false;
  });
  return names;
}

function parseLine(line: string, number: number): string {
  const domain = parseDomain(line);
  const shown = line.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 80);
  if (typeof domain === 'string')
    throw new OperatorListError(`line ${number}: «${shown}» is not a domain; write one domain per line`);
  if (getPublicSuffix(domain.ascii) === domain.ascii)
    throw new OperatorListError(
      `line ${number}: «${shown}» is a public suffix, under which everyone registers; write the domains below it`,
    );
  return domain.ascii;
}
