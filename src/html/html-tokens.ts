/**
 * Splits a string of HTML into tokens with their offsets, for code that edits it. HtmlScanner reads pages
 * instead: as bytes, while they arrive.
 */
import { decodeHTMLAttribute } from 'entities';
import { RAW_TEXT_ELEMENTS } from './tag-names.ts';
import { isLetter, isSpace } from './bytes.ts';

/** A token of HTML source (HTML standard §13.2.5). Names are lower case, offsets are UTF-16 units. */
export interface HtmlToken {
  kind: 'start' | 'end' | 'text' | 'comment' | 'doctype' | 'raw';
  /** The tag name; for `raw`, the name of the element that contains the text. */
  name: string;
  start: number;
  end: number;
}

/** Yields the tokens of an HTML text. `noscript` is markup, as if scripting were off. */
export function* scanHtml(html: string): Generator<HtmlToken, void, undefined> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      yield { kind: 'text', name: '', start: at, end: html.length };
      return;
    }
    const token = scanMarkup(html, open);
    if (!token) {
      // A lone "<" is text.
      yield { kind: 'text', name: '', start: at, end: open + 1 };
      at = open + 1;
      continue;
    }
    if (open > at) yield { kind: 'text', name: '', start: at, end: open };
    yield token;
    at = token.end;
    if (token.kind === 'start' && isRaw(token.name)) {
      const end = findRawEnd(html, at, token.name);
      if (end > at) yield { kind: 'raw', name: token.name, start: at, end };
      at = end;
    }
  }
}

/** Returns the tag, comment or doctype that begins at this "<"; null if it is text. */
function scanMarkup(html: string, open: number): HtmlToken | null {
  const next = html[open + 1] ?? '';
  if (next === '!') return scanDeclaration(html, open);
  if (next === '?') return { kind: 'comment', name: '', start: open, end: endAfter(html, '>', open + 2) };
  const isEnd = next === '/';
  const nameStart = isEnd ? open + 2 : open + 1;
  if (!isLetter(html.charCodeAt(nameStart))) {
    return isEnd && nameStart < html.length
      ? { kind: 'comment', name: '', start: open, end: endAfter(html, '>', nameStart) }
      : null;
  }
  const nameEnd = findNameEnd(html, nameStart);
  const name = html.slice(nameStart, nameEnd).toLowerCase();
  return { kind: isEnd ? 'end' : 'start', name, start: open, end: findTagEnd(html, nameEnd) };
}

// Character codes: comparing patterns or strings takes five times as long.
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;

/** Finds the end of the name of a tag; of an attribute if `delimiter` is "=". */
function findNameEnd(html: string, from: number, delimiter = GREATER): number {
  let at = from;
  for (; at < html.length; at += 1) {
    const code = html.charCodeAt(at);
    if (isSpace(code) || code === SLASH || code === GREATER || code === delimiter) break;
  }
  return at;
}

function scanDeclaration(html: string, open: number): HtmlToken {
  if (html.startsWith('--', open + 2)) {
    const isEmpty = html[open + 4] === '>' || html.startsWith('->', open + 4);
    return {
      kind: 'comment',
      name: '',
      start: open,
      end: isEmpty ? endAfter(html, '>', open + 4) : findCommentEnd(html, open + 4),
    };
  }
  const isDoctype = html.slice(open + 2, open + 9).toLowerCase() === 'doctype';
  return {
    kind: isDoctype ? 'doctype' : 'comment',
    name: '',
    start: open,
    end: endAfter(html, '>', open + 2),
  };
}

function findCommentEnd(html: string, from: number): number {
  COMMENT_END.lastIndex = from;
  return COMMENT_END.test(html) ? COMMENT_END.lastIndex : html.length;
}

const COMMENT_END = /--!?>/g;

function endAfter(html: string, text: string, from: number): number {
  const at = html.indexOf(text, from);
  return at < 0 ? html.length : at + text.length;
}

/**
 * Finds the offset after the ">" of a tag (HTML standard §13.2.5.32 to 39). A ">" in a quoted attribute value
 * does not end it, and only a quote after a name, "=" and white space opens one.
 */
function findTagEnd(html: string, from: number): number {
  let at = from;
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (code === GREATER) return at + 1;
    if (isSpace(code) || code === SLASH) at += 1;
    else at = findAttributeEnd(html, at);
  }
  return html.length;
}

/** Finds the offset after the attribute whose name begins at `from`. Its first character may be "=". */
function findAttributeEnd(html: string, from: number): number {
  let at = findNameEnd(html, from + 1, EQUALS);
  const nameEnd = at;
  while (isSpace(html.charCodeAt(at))) at += 1;
  if (html.charCodeAt(at) !== EQUALS) return nameEnd;
  at += 1;
  while (isSpace(html.charCodeAt(at))) at += 1;
  const first = html.charCodeAt(at);
  if (first === QUOTE) return endAfter(html, '"', at + 1);
  if (first === APOSTROPHE) return endAfter(html, "'", at + 1);
  while (at < html.length && !isSpace(html.charCodeAt(at)) && html.charCodeAt(at) !== GREATER) at += 1;
  return at;
}

/** Checks whether the content of an element is text. `plaintext` never ends. */
function isRaw(name: string): boolean {
  return RAW_TEXT_ELEMENTS.has(name) || name === 'plaintext';
}

function findRawEnd(html: string, from: number, name: string): number {
  const end = RAW_ENDS.get(name);
  if (!end) return html.length;
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

const RAW_ENDS = new Map(
  Array.from(RAW_TEXT_ELEMENTS, (name) => [name, new RegExp(`</${name}(?=[\\t\\n\\f\\r />]|$)`, 'gi')]),
);

/** An attribute in the source of a start tag (HTML standard §13.2.5.32). Offsets are UTF-16 units. */
export interface HtmlAttribute {
  /** In lower case. */
  name: string;
  /** The value with its character references decoded. */
  value: string;
  /** The offsets of the value in the source, without quotes. */
  start: number;
  end: number;
}

/** HTML has fewer white-space characters than \s matches. */
const ATTRIBUTE =
  /[\t\n\f\r /]*(=?[^\t\n\f\r />=]+|=)([\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"?|'([^']*)'?|([^\t\n\f\r >]*)))?/gy;

/** Lists the attributes of a start tag, which ends at `to`; `from` is the offset after its name. */
export function scanAttributes(html: string, from: number, to: number): HtmlAttribute[] {
  const tag = html.slice(from, to);
  const attributes: HtmlAttribute[] = [];
  const names = new Set<string>();
  ATTRIBUTE.lastIndex = 0;
  for (let match = ATTRIBUTE.exec(tag); match; match = ATTRIBUTE.exec(tag)) {
    const name = (match[1] ?? '').toLowerCase();
    // The first of two attributes with one name counts.
    if (names.has(name)) continue;
    names.add(name);
    const raw = match[3] ?? match[4] ?? match[5] ?? '';
    const isClosed = match[5] === undefined && /["']$/.test(match[2] ?? '');
    const end = from + ATTRIBUTE.lastIndex - (isClosed ? 1 : 0);
    const value = raw.includes('&') ? decodeHTMLAttribute(raw) : raw;
    attributes.push({ name, value, start: end - raw.length, end });
  }
  return attributes;
}

// Escapes texts for HTML, and trims its white space.

/** Escapes text for an attribute value, also without quotes. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&"'<>`=\s]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Escapes text for the content of an element. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/**
 * Removes HTML white space from both ends, in time proportional to the length. String.trim removes more: a
 * no-break space is part of a URL.
 */
export function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
