import { toASCII, toUnicode } from 'tr46';
import { getDomainFacts } from '../domain/domain-facts.ts';
import { findSlip } from './edit-cost.ts';

/**
 * Letters of other scripts by the Latin one that they look like, which is the first of each word (a subset of
 * the confusables of UTS #39).
 */
const CONFUSABLES = new Map<string, string>();
for (const word of (
  'aаαɑ bЬƅ cсϲᴄ dԁɗ eеҽєε gɡց hһհ iіıιɩ jј kκкĸ lӏłǀ mм nпո ' +
  'oоοօσøо pрρ qԛ rг sѕ tтτ uυսц vѵν wԝшω xхχ yуγү zᴢ'
).split(' ')) {
  const [latin = '', ...others] = word;
  for (const other of others) CONFUSABLES.set(other, latin);
}

const MARKS = /\p{M}+/gu;

/**
 * Finds the ASCII text that a domain looks like without its accents; null if a character looks like no ASCII
 * one.
 */
function findSkeleton(domain: string): string | null {
  let skeleton = '';
  for (const char of domain.normalize('NFKD').replace(MARKS, '')) {
    const latin = char < '\u0080' ? char : CONFUSABLES.get(char);
    if (latin === undefined) return null;
    skeleton += latin;
  }
  return skeleton;
}

const NON_ASCII = /[^\0-\x7f]/;
const CYRILLIC = /\p{Script=Cyrillic}/u;

/** The keys of the Russian layout, and the characters on the same keys of the Latin one. */
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбю.';
const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,./";

/** Top-level domains in other scripts with many registered domains. */
const UNICODE_TOP_LEVELS = ['рф', 'укр', 'бел', 'срб', 'мкд', 'рус', 'москва', 'онлайн', 'сайт', 'ελ', 'ею'];

/** Shows a domain in Unicode; null if it is in ASCII. */
export function showInUnicode(domain: string): string | null {
  const shown = domain.includes('xn--') ? toUnicode(domain, { useSTD3ASCIIRules: true }).domain : domain;
  return NON_ASCII.test(shown) ? shown : null;
}

/**
 * Lists the ASCII domains that a domain in another script may be: the one that it looks like (`gmаil.com`
 * with a Cyrillic а), and the one that the same keys type in a Latin layout (`пьфшд.сщь` → `gmail.com`).
 */
export function listLookalikes(domain: string): string[] {
  const skeleton = findSkeleton(domain);
  const typed = Array.from(domain, (char) => LATIN_KEYS[RUSSIAN_KEYS.indexOf(char)] ?? char);
  // The dot has the key of the slash in the Russian layout; people type either.
  const latin = typed.join('').replaceAll('/', '.');
  return [skeleton, latin].filter(
    (candidate) => candidate !== null && !NON_ASCII.test(candidate),
  ) as string[];
}

/**
 * Corrects a top-level domain that does not exist, of a domain in Unicode; null if none is meant. The result
 * is in A-labels.
 *
 * | rule | example |
 * |---|---|
 * | `.ru` in Cyrillic; `.рф` after a Cyrillic name | `acme.ру` → `acme.ru`, `почта.ру` → `почта.рф` |
 * | doubled or swapped letters | `почта.рфф` → `почта.рф` |
 * | letters that look Latin | `acme.сом` → `acme.com` |
 */
export function repairUnicodeTopLevel(domain: string): string | null {
  const dot = domain.lastIndexOf('.');
  const typed = domain.slice(dot + 1);
  if (dot <= 0 || !NON_ASCII.test(typed) || isTopLevel(typed)) return null;
  const before = domain.slice(0, dot);
  const end = findTopLevel(typed, before);
  return end === null ? null : toASCII(`${before}.${end}`, { useSTD3ASCIIRules: true });
}

function findTopLevel(typed: string, before: string): string | null {
  if (typed === 'ру') return CYRILLIC.test(before) ? 'рф' : 'ru';
  const slipped = UNICODE_TOP_LEVELS.find((name) => findSlip(typed, name));
  if (slipped !== undefined) return slipped;
  const skeleton = findSkeleton(typed);
  return skeleton !== null && isTopLevel(skeleton) ? skeleton : null;
}

function isTopLevel(name: string): boolean {
  const ascii = toASCII(`a.${name}`, { useSTD3ASCIIRules: true });
  return ascii !== null && getDomainFacts(ascii).hasKnownTld;
}
