/**
 * Marks that come from pasting an address out of a text, and that its owner's address never has: quotation
 * marks, bullets, a name in parentheses, punctuation after the end, and characters without a width. RFC 6531
 * allows most of them in a local part (`“ann@gmail.com`).
 */

/** Longer texts are not an address with an error. */
export const MAX_REPAIRED_LENGTH = 320;

/** Most addresses: ASCII without a quote at an end of the local part and with no punctuation at their own. */
const PLAIN = /^(?!['`])[\w!#$%&'*+/=?^`{|}~.-]+(?<!['`])@[\w.-]*[a-z0-9]$/i;
/** The same with the letters of all scripts and fewer signs. */
const PLAIN_LETTERS = /^[\w\p{L}\p{M}\p{N}.+-]+@[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}]$/u;
/** Joiners after a letter beyond ASCII are part of its word. */
const INVISIBLE = /(?<![^\0-\x7f])[\u200c\u200d]|[\p{Cf}--[\u200c\u200d]]/gv;
/** Quotation marks and brackets of all scripts, accents typed for them, dashes, bullets of editors. */
const GLYPHS = String.raw`'"\x60\xb4\uff02\uff07\p{Pi}\p{Pf}[[\p{Ps}\p{Pe}\p{Pd}]--\p{ASCII}]…•‣⁃∙·・●○◦■□▪▫►▶➢➤★☆✓✔✉`;
const BEFORE = new RegExp(String.raw`^(?:mailto:|[${GLYPHS}\s<\(\[\{,;:]|@(?=[^@]*@))+`, 'iv');
/** Marks that an address may start with (RFC 5321 atext), or that count something, before a blank. */
const ITEM = /^(?:[-*+#>]|\d{1,3}[.)])\s+/;
/** `*ann@gmail.com*`, `__ann@gmail.com__`: Markdown, and no address ends with these. */
const EMPHASIS = /^[*_~]+(?=.*[*_~]$)/s;
/** `(Ann) ann@gmail.com` */
const NAME_BEFORE = /^\s*[([（][^()[\]（）@]*[)\]）]\s*(?=[^\s@])/;
/** `ann@gmail.com (Ann Lee)`, but not an address literal. */
const NAME_AFTER = /(?<![@\s])\s*[([（][^()[\]（）@]*[)\]）][\s.,;:!?]*$/;
/** `[ann@gmail.com](mailto:ann@gmail.com)` */
const LINK = /^\[([^[\]]*)\]\(.*\)$/s;
const AFTER = /[^\p{L}\p{N}\p{M}]+$/u;
const LOCAL_END = new RegExp(String.raw`\s*[${GLYPHS}\)\]]+\s*$`, 'v');
/** `o’neil`, as editors write it. Between letters of other scripts it may be meant. */
const APOSTROPHE = /(?<=[a-z])[\u2018\u2019\xb4\u2032\uff07](?=[a-z])/gi;

/**
 * Returns a text with one address without the marks around it, around its local part and in it; the text
 * itself if it has none. The result may be malformed in other ways. An ASCII character that a local part may
 * have is kept (`*ann`, `-ann`), except for quotes at its ends.
 */
export function removePasteMarks(text: string): string {
  if (text.length > MAX_REPAIRED_LENGTH || PLAIN.test(text) || PLAIN_LETTERS.test(text)) return text;
  const visible = text.replace(INVISIBLE, '').replace(LINK, '$1');
  const isQuoted = visible.startsWith('"') && visible.includes('"@');
  const named = visible.replace(NAME_AFTER, '');
  const started = isQuoted
    ? named
    : named.replace(NAME_BEFORE, '').replace(ITEM, '').replace(EMPHASIS, '').replace(BEFORE, '');
  const isLiteral = started.startsWith('[', started.lastIndexOf('@') + 1);
  const ended = isLiteral ? started : started.replace(AFTER, '');
  const at = ended.lastIndexOf('@');
  if (at < 0) return text.includes('@') ? text : ended;
  const localPart = ended.slice(0, at).replace(LOCAL_END, '').replace(APOSTROPHE, "'");
  return isQuoted ? ended : localPart + ended.slice(at);
}

/** Returns true if a text with an address has marks of pasting. */
export function hasPasteMarks(text: string): boolean {
  return removePasteMarks(text) !== text && text.includes('@');
}
