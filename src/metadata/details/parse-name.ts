/** Parses names of people and organizations as pages write them. */
import { normalizeText } from '../page/text.ts';

/** A longer text is not a name. */
const MAX_NAME_LENGTH = 200;
/** Neither is one with so much markup. */
const MAX_RAW_LENGTH = 2_000;

/** Texts that templates print without a value. */
const NO_NAMES = new Set(['null', 'undefined', '[object object]', 'n/a', 'none', 'false', '-']);

/**
 * Returns the name of an author in a text: without markup, an email address after it or a `By` before it.
 * Returns null for a handle, and for all that is no name of an organization.
 */
export function parseAuthorName(raw: string): string | null {
  const name = parseText(raw)
    ?.replace(/^[Bb][Yy](?:\s*:\s*|\s+)(?=\p{Lu})/u, '')
    .replace(/^\S+@\S+\s+\((.+)\)$/, '$1')
    .trim();
  return name === undefined || /^(?:@\S*|www\.\S*)$/i.test(name) || !isName(name) ? null : name;
}

/**
 * Returns the name of an organization in a text, without markup. Returns null for a URL, an email address, a
 * text that is too long for a name, and the text of a template without a value. A host may be a name.
 */
export function parseName(raw: string): string | null {
  const name = parseText(raw);
  return name !== null && isName(name) ? name : null;
}

function parseText(raw: string): string | null {
  if (raw.length > MAX_RAW_LENGTH) return null;
  const text = normalizeText(raw.replace(/<[^<>]*>/g, ' '), 'text');
  return text === null || text.length > MAX_NAME_LENGTH ? null : text;
}

function isName(text: string): boolean {
  return text !== '' && !NO_NAMES.has(text.toLowerCase()) && !isAddress(text);
}

/** Returns true for a URL, also without a scheme, a path, and an email address. */
function isAddress(text: string): boolean {
  if (/\s/.test(text)) return /^https?:/i.test(text);
  return /^(?:[a-z][a-z0-9+.-]*:|\/|#)|^[^/]+\.[a-z]{2,}\/|^[^@]+@[^@]+\.[^@.]+$/i.test(text);
}
