/** Edits texts of HTML: escapes them, and trims its white space. */
import { isSpace } from './bytes.ts';

/** Escapes text for an attribute value, also without quotes. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&"'<>`=\s]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Escapes text for the content of an element. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/**
 * Removes white space of HTML from both ends, in time proportional to the length. That of String.trim has
 * more characters: a no-break space is part of a URL.
 */
export function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
