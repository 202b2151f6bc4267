/** What people and programs wrap around an address: `mailto:`, `<…>`, quotes, brackets, a full stop at the end of a sentence. */
const BEFORE = /^(?:mailto:|[\s<([{"'`“”‘’«„,;:@\p{Cf}])+/iu;
const AFTER = /[\s>)\]}"'`“”‘’»,;:.!?\\/@\p{Cf}]+$/u;
/** The header fields of a mail link (RFC 6068). */
const LINK_FIELDS = /^(\s*mailto:[^?]*)\?.*$/isu;
/** What other keyboards give for `@`. */
const WIDE_AT = /[\uff20\ufe6b]/g;
const IN_ANGLES = /<([^<>]*@[^<>]*)>/;
const WRITTEN_AT = /\s*[([{]\s*at\s*[)\]}]\s*|\s+at\s+(?=[a-z0-9-]+(?:\.[a-z]|\s+dot\b|\s*[([{]\s*dot\b))/i;
const WRITTEN_DOT = /\s*[([{]\s*dot\s*[)\]}]\s*|\s+dot\s+/gi;
/** What some keyboards give for `@` without the right modifier. */
const MISSED_AT = /^([^\s@]+?)[#"$!§²àò]([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;
const SCHEME = /^https?:\/*/;
/** A hyphen where a letter beside it may be lost. */
const LOOSE_HYPHEN = /^-|\.-|-\./;
const INVISIBLE = /[\s\p{Cf}]+/gu;
/** What is struck for the dot beside it, or by a finger that slips: each run is read as a dot, and as nothing. */
const STRAY = /[^\p{L}\p{N}\p{M}.-]+/gu;
/** A character in a domain that may stand for any other. */
const UNREADABLE = /[^\p{L}\p{N}\p{M}\p{Cf}\s.,;-]/u;
/** Longer texts are not an address with a slip in it. */
const MAX_LENGTH = 320;

/** An address taken apart without judging it: the local part as it stands in the text, and readings of the domain, the likeliest first. */
export interface RepairedAddress {
  localPart: string;
  domains: string[];
  /** The domain held nothing but dots, commas, blanks and the like out of place, so that the first reading needs no provider to vouch for it. */
  isPlain: boolean;
}

/**
 * Takes the wrapping and the slips off a text that is not an address. The local part is a piece of the text, byte for byte; the domain
 * has its dots, blanks and stray characters put right. Null where there is no address in it.
 */
export function repairAddress(text: string): RepairedAddress | null {
  if (text.length > MAX_LENGTH) return null;
  const bare = unwrap(text);
  const at = bare.lastIndexOf('@');
  if (at === -1) return repairMissedAt(bare);
  if (at === 0 || at === bare.length - 1) return null;
  const typed = bare
    .slice(at + 1)
    .toLowerCase()
    .replace(WRITTEN_DOT, '.')
    .replace(SCHEME, '');
  const domains = listReadings(typed);
  if (domains.length === 0) return null;
  const localPart = dropRepeated(bare.slice(0, at).trimEnd(), domains);
  const split = splitSecondAt(localPart, typed);
  const isPlain = !UNREADABLE.test(typed) && !LOOSE_HYPHEN.test(typed);
  return split ?? { localPart, domains, isPlain };
}

/** `ann#gmail.com`; believed of providers alone. */
function repairMissedAt(text: string): RepairedAddress | null {
  const found = MISSED_AT.exec(text);
  if (found === null) return null;
  return { localPart: found[1] as string, domains: [(found[2] as string).toLowerCase()], isPlain: false };
}

/** `ann@gmail@com`, `ann@gmail@gmail.com`: an at sign for a dot, or a domain begun twice; believed of providers alone. */
function splitSecondAt(localPart: string, domain: string): RepairedAddress | null {
  const at = localPart.indexOf('@');
  if (at <= 0 || localPart.startsWith('"')) return null;
  const begun = localPart.slice(at + 1).toLowerCase();
  const domains = listReadings(domain.startsWith(`${begun}.`) ? domain : `${begun}.${domain}`);
  return { localPart: localPart.slice(0, at), domains, isPlain: false };
}

function unwrap(text: string): string {
  const narrow = text.includes('@') ? text : text.replace(WIDE_AT, '@');
  const link = narrow.replace(LINK_FIELDS, '$1');
  const inner = IN_ANGLES.exec(link)?.[1] ?? link;
  // A quoted local part starts with a quotation mark that belongs to it.
  const bare = inner.startsWith('"') && inner.includes('"@') ? inner : inner.replace(BEFORE, '');
  const ended = bare.replace(AFTER, '');
  const written = ended.includes('@') ? ended : ended.replace(WRITTEN_AT, '@');
  return written.replace(/\s*@[\s@]*@\s*|\s+@\s*|@\s+/g, '@');
}

/** `ann@example.org@example.org`: an address that was pasted twice over. */
function dropRepeated(localPart: string, domains: string[]): string {
  const at = localPart.lastIndexOf('@');
  return at > 0 && domains.includes(localPart.slice(at + 1).toLowerCase())
    ? localPart.slice(0, at)
    : localPart;
}

function listReadings(domain: string): string[] {
  const clean = domain.normalize('NFC');
  const closed = clean.replace(INVISIBLE, '');
  const readings = [closed.replace(STRAY, '.'), closed.replace(STRAY, ''), clean.replace(STRAY, '.')];
  // `-online.de`: rather a letter lost than a hyphen too many, if a provider says so.
  if (closed.startsWith('-')) return [closed, ...new Set(readings.map(tidyDots))];
  return [...new Set(readings.map(tidyDots).filter((reading) => reading !== ''))];
}

function tidyDots(domain: string): string {
  return domain
    .replace(/[.。．｡]+/g, '.')
    .replace(/-*\.-*/g, '.')
    .replace(/^[.-]+|[.-]+$/g, '')
    .replace(/^www\./, '');
}
