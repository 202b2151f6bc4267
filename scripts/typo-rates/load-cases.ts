import { readFileSync } from 'node:fs';

/** A typed domain or address, and what was meant; null if it is to have no suggestion. */
export interface SuggestionCase {
  typed: string;
  meant: string | null;
}

/** The cases by the way they are scored. */
export interface SuggestionCases {
  /** Scored without DNS, as domains that do not exist, and as domains that accept mail. */
  domains: SuggestionCase[];
  /** Whole addresses, most of them malformed. */
  addresses: SuggestionCase[];
}

const TESTS = new URL('../../test/', import.meta.url);

/** Loads the vectors and the cases of `test/email/cases`. */
export function loadCases(): SuggestionCases {
  const domains: SuggestionCase[] = [];
  for (const [typed = '', meant = ''] of loadRows('email-typos.tsv')) {
    domains.push({ typed: getDomain(typed), meant: getDomain(meant) });
  }
  for (const [typed = ''] of loadRows('email-not-typos.tsv')) {
    domains.push({ typed: getDomain(typed), meant: null });
  }
  for (const line of loadLines('typos.txt')) {
    const [meant = '', list = ''] = line.split(': ');
    for (const typed of list.split(' ')) domains.push({ typed, meant });
  }
  for (const line of loadLines('real-domains.txt')) {
    for (const typed of line.split(' ')) domains.push({ typed, meant: null });
  }
  return { domains, addresses: loadLines('addresses.txt').map(parseCase) };
}

function loadRows(name: string): string[][] {
  const lines = readFileSync(new URL(`vectors/${name}`, TESTS), 'utf8')
    .trim()
    .split('\n');
  return lines.slice(1).map((line) => line.split('\t'));
}

function loadLines(name: string): string[] {
  const text = readFileSync(new URL(`email/cases/${name}`, TESTS), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
}

/** Parses `typed => meant`; nothing after the arrow: no suggestion. */
function parseCase(line: string): SuggestionCase {
  const [typed = '', meant = ''] = line.split(/ => ?(?=[^>]*$)/);
  return { typed, meant: meant === '' ? null : meant };
}

function getDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
