/** What people and programs wrap around an address: `mailto:`, `<…>`, quotes, brackets, a full stop at the end of a sentence. */
const BEFORE = /^(?:mailto:|[\s<([{"'`“”‘’«„,;:@\p{Cf}])+/iu;
const AFTER = /[\s>)\]}"'`“”‘’»,;:.!?\\/@\p{Cf}]+$/u;
/** The header fields of a mail link (RFC 6068). */
const LINK_FIELDS = /^(\s*mailto:[^?]*)\?.*$/isu;
/** What other keyboards give for `@`. */
const WIDE_AT = /[\uff20\ufe6b]/g;
const IN_ANGLES = /<([^<>]*@[^<>]*)>/;
const WRITTEN_AT = /\s*[([{]\s*at\s*[)\]}]\s*|\s+at\s+(?=[a-z0-9-]+\.[a-z])/i;
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
  if (at <= 0 || at === bare.length - 1) return null;
  const typed = bare.slice(at + 1).toLowerCase();
  const domains = listReadings(typed);
  const localPart = bare.slice(0, at).trimEnd();
  if (domains.length === 0) return null;
  return { localPart: dropRepeated(localPart, domains), domains, isPlain: !UNREADABLE.test(typed) };
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
  return [...new Set(readings.map(tidyDots).filter((reading) => reading !== ''))];
}

function tidyDots(domain: string): string {
  return domain
    .replace(/[.。．｡]+/g, '.')
    .replace(/-*\.-*/g, '.')
    .replace(/^[.-]+|[.-]+$/g, '')
    .replace(/^www\./, '');
}
