import { parseAddress } from '../address/parse-address.ts';
import { MAX_REPAIRED_LENGTH, removePasteMarks } from '../address/paste-marks.ts';
import { getDomainFacts } from '../domain/domain-facts.ts';
import type { MailVerdict } from '../domain/mail-verdict.ts';
import { getTypedDomain } from '../domain/parse-domain.ts';
import { isDisposableDomain } from '../lists/disposable-domain.ts';
import type { DomainLists } from '../lists/domain-lists.ts';
import { isParkedMail } from '../verdict/host-traits.ts';
import { showInUnicode } from './repair-unicode.ts';
import { CONFIDENCE } from './rules.ts';
import { type DomainSuggestion, isKnownDomain, suggestForDomain } from './suggest-domain.ts';

export interface Suggestion {
  /** The corrected address. */
  address: string;
  /** 0 to 1. */
  confidence: number;
}

/**
 * Suggests a correction of a well-formed address, `text`: without the marks of pasting, and with the
 * suggestion for its domain; null without either. A domain that accepts mail is corrected only if a
 * provider's was clearly meant, or if it is parked.
 */
export function suggestAddress(
  text: string,
  found: DomainSuggestion | null,
  verdict: MailVerdict,
  lists: DomainLists,
): Suggestion | null {
  const bare = removePasteMarks(text);
  const acceptsMail = verdict.status === 'found' && !verdict.refuses;
  if (found !== null && (!acceptsMail || found.overridesMail || isParkedMail(verdict.exchanges)))
    return accept(bare.slice(0, bare.lastIndexOf('@')), found.domain, found.confidence, text);
  if (bare === text || verdict.refuses) return null;
  // A mark after the domain is part of its top-level domain, which exists without it.
  const isDomainMarked = getTypedDomain(bare) !== getTypedDomain(text);
  if (isDomainMarked) return suggestRepair(text, lists);
  return acceptAsRepaired(bare.slice(0, bare.lastIndexOf('@')), getTypedDomain(bare), text, lists);
}

/** Returns a domain in the form of the `text` that it corrects: A-labels only if that has them. */
function writeDomain(domain: string, text: string): string {
  if (!domain.includes('xn--')) return domain;
  const typed = text.slice(text.lastIndexOf('@') + 1).toLowerCase();
  return typed.includes('xn--') ? domain : (showInUnicode(domain) ?? domain);
}

/**
 * Suggests the address in a malformed text: unwrapped, with a repaired domain that may be corrected further.
 */
export function suggestRepair(text: string, lists: DomainLists): Suggestion | null {
  const repaired = repairAddress(text);
  if (repaired === null) return null;
  const { localPart, domains, isPlain } = repaired;
  // A domain that starts with a hyphen lacks its first letter, if a provider is near.
  const isCut = domains[0]?.startsWith('-') === true;
  const completed = isCut ? suggestForDomain(domains[0] as string, lists, true) : null;
  if (completed !== null) return accept(localPart, completed.domain, completed.confidence, text);
  const known = domains.find((domain) => isKnownDomain(domain, lists, true));
  if (known !== undefined) return acceptAsRepaired(localPart, known, text, lists);
  for (const domain of isCut ? [] : domains) {
    const found = suggestForDomain(domain, lists, true);
    if (found !== null) return accept(localPart, found.domain, found.confidence, text);
  }
  return isPlain && domains[0] !== undefined ? acceptAsRepaired(localPart, domains[0], text, lists) : null;
}

/** Accepts a repaired domain without further correction, if it can exist and is not disposable. */
function acceptAsRepaired(
  localPart: string,
  domain: string,
  text: string,
  lists: DomainLists,
): Suggestion | null {
  const address = parseAddress(`${repairDots(localPart, domain)}@${domain}`);
  if (typeof address === 'string' || address.domain === null) return null;
  const facts = getDomainFacts(address.domain);
  if (!facts.hasKnownTld || facts.isSpecialUse || facts.registrable === null) return null;
  if (isDisposableDomain(address.domain, facts, lists)) return null;
  return accept(localPart, domain, CONFIDENCE.unwrapped, text);
}

function accept(localPart: string, domain: string, confidence: number, text: string): Suggestion | null {
  const address = `${repairDots(localPart, domain)}@${writeDomain(domain, text)}`;
  return address === text || typeof parseAddress(address) === 'string' ? null : { address, confidence };
}

/** Dots that RFC 5321 forbids: at an end, or beside another one. */
const LOOSE_DOTS = /^\.+|\.+$|(?<=\.)\.+/g;
/**
 * Providers with mailboxes from the years in which they allowed such dots
 * (https://www.docomo.ne.jp/service/docomo_mail/rfc_add/).
 */
const WITH_LOOSE_DOTS: ReadonlySet<string> = new Set(['docomo.ne.jp', 'ezweb.ne.jp']);

function repairDots(localPart: string, domain: string): string {
  if (localPart.startsWith('"') || WITH_LOOSE_DOTS.has(domain)) return localPart;
  return localPart.replace(LOOSE_DOTS, '');
}

/** The header fields of a mail link (RFC 6068): `mailto:ann@gmail.com?subject=Hello`. */
const LINK_FIELDS = /^(\s*mailto:[^?]*)\?.*$/isu;
/** Full-width and small `@` from East Asian keyboards: `ann＠gmail.com`. */
const WIDE_AT = /[\uff20\ufe6b]/g;
/** `Ann Lee <ann@example.org>` */
const IN_ANGLES = /<([^<>]*@[^<>]*)>/;
/** `ann(at)gmail.com`, `ann at gmail.com` */
const WRITTEN_AT = /\s*[([{]\s*at\s*[)\]}]\s*|\s+at\s+(?=[a-z0-9-]+(?:\.[a-z]|\s+dot\b|\s*[([{]\s*dot\b))/i;
/** `ann@gmail[dot]com`, `ann@gmail dot com` */
const WRITTEN_DOT = /\s*[([{]\s*dot\s*[)\]}]\s*|\s+dot\s+/gi;
/** Characters for `@` on some keyboards with the wrong modifier: `ann#gmail.com`. */
const MISSED_AT = /^([^\s@]+?)[#"$!§²àò]([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;
/** `ann@http://gmail.com` */
const SCHEME = /^https?:\/*/;
/** A hyphen beside which a letter may be missing: `ann@-online.de`. */
const LOOSE_HYPHEN = /^-|\.-|-\./;
const INVISIBLE = /[\s\p{Cf}]+/gu;
/**
 * Characters typed for a dot, or by accident. One candidate has a dot for each run, another has nothing:
 * `gmail,com`.
 */
const STRAY = /[^\p{L}\p{N}\p{M}.-]+/gu;
/** A character in a domain that may be typed for any other one. */
const UNREADABLE = /[^\p{L}\p{N}\p{M}\p{Cf}\s.,;-]/u;
/** The parts of a repaired address, not validated. */
interface RepairedAddress {
  /** As in the text, but without marks of pasting and dots that RFC 5321 forbids. */
  localPart: string;
  /** Candidates for the domain, the likeliest first. */
  domains: string[];
  /**
   * Only dots, commas, blanks and the like were repaired, so the first candidate need not be a provider's
   * domain.
   */
  isPlain: boolean;
}

/**
 * Repairs a malformed address: removes the text around it, and corrects the dots, blanks and stray characters
 * of the domain. Returns null if the text contains no address.
 */
export function repairAddress(text: string): RepairedAddress | null {
  if (text.length > MAX_REPAIRED_LENGTH) return null;
  const bare = unwrap(text);
  const at = bare.lastIndexOf('@');
  if (at === -1) return repairMissedAt(bare);
  const typed = bare
    .slice(at + 1)
    .toLowerCase()
    .replace(WRITTEN_DOT, '.')
    .replace(SCHEME, '');
  const domains = listCandidates(typed);
  if (domains.length === 0) return null;
  const localPart = dropRepeated(bare.slice(0, at).trimEnd(), domains);
  if (localPart === '') return null;
  const split = repairSecondAt(localPart, typed);
  const isPlain = !UNREADABLE.test(typed) && !LOOSE_HYPHEN.test(typed);
  return split ?? { localPart, domains, isPlain };
}

/** Repairs `ann#gmail.com`; accepted only for providers. */
function repairMissedAt(text: string): RepairedAddress | null {
  const found = MISSED_AT.exec(text);
  if (found === null) return null;
  return { localPart: found[1] as string, domains: [(found[2] as string).toLowerCase()], isPlain: false };
}

/**
 * Repairs an `@` for a dot, or a domain started twice: `ann@gmail@com`, `ann@gmail@gmail.com`. Only for
 * providers.
 */
function repairSecondAt(localPart: string, domain: string): RepairedAddress | null {
  const at = localPart.indexOf('@');
  if (at <= 0 || localPart.startsWith('"')) return null;
  const started = localPart.slice(at + 1).toLowerCase();
  const domains = listCandidates(domain.startsWith(`${started}.`) ? domain : `${started}.${domain}`);
  return { localPart: localPart.slice(0, at), domains, isPlain: false };
}

function unwrap(text: string): string {
  const narrow = text.includes('@') ? text : text.replace(WIDE_AT, '@');
  const link = narrow.replace(LINK_FIELDS, '$1');
  const inner = IN_ANGLES.exec(link)?.[1] ?? link;
  const bare = removePasteMarks(inner);
  const written = bare.includes('@') ? bare : bare.replace(WRITTEN_AT, '@');
  return written.replace(/\s*@[\s@]*@\s*|\s+@\s*|@\s+/g, '@');
}

/** Removes a domain that was pasted twice: `ann@example.org@example.org`. */
function dropRepeated(localPart: string, domains: string[]): string {
  const at = localPart.lastIndexOf('@');
  return at > 0 && domains.includes(localPart.slice(at + 1).toLowerCase())
    ? localPart.slice(0, at)
    : localPart;
}

function listCandidates(domain: string): string[] {
  const clean = domain.normalize('NFC');
  const closed = clean.replace(INVISIBLE, '');
  const candidates = [closed.replace(STRAY, '.'), closed.replace(STRAY, ''), clean.replace(STRAY, '.')];
  // `-online.de` may lack its first letter, so it is a candidate as it is.
  if (closed.startsWith('-')) return [closed, ...new Set(candidates.map(tidyDots))];
  return [...new Set(candidates.map(tidyDots).filter((candidate) => candidate !== ''))];
}

function tidyDots(domain: string): string {
  return domain
    .replace(/[.。．｡]+/g, '.')
    .replace(/-*\.-*/g, '.')
    .replace(/^[.-]+|[.-]+$/g, '')
    .replace(/^www\./, '');
}
