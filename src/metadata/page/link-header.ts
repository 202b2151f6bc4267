/** Parses `Link` headers (RFC 8288 §3, appendix B). */
import { normalizeText } from './text.ts';

/** A header is not read further. The guard accepts larger heads, for their cookies. */
const MAX_CHARACTERS = 65_536;
const MAX_LINKS = 100;
/** Links have few parameters; more are ignored. */
const MAX_PARAMETERS = 20;

/** A link whose context is the page. */
export interface HeaderLink {
  /** The target as written. It is relative to the page's final URL: a `<base>` does not apply to headers. */
  href: string;
  /** The tokens of its rel, in lower case. */
  rel: string[];
  type: string | null;
  title: string | null;
  sizes: string | null;
  media: string | null;
  hreflang: string | null;
}

/**
 * Returns the links of a header value (latin1, several lines joined by commas), in order. A malformed link is
 * skipped, and so is one whose `anchor` is not the page.
 */
export function parseLinkHeader(value: string | undefined, finalUrl: string): HeaderLink[] {
  const links: HeaderLink[] = [];
  if (value === undefined) return links;
  const parser = new LinkParser(decodeHeaderText(value.slice(0, MAX_CHARACTERS)));
  while (links.length < MAX_LINKS) {
    const found = parser.findNext();
    if (found === null) break;
    const { href, parameters } = found;
    const rel = (parameters.get('rel') ?? '').toLowerCase().split(/[\t ]+/);
    if (!rel.some((token) => token !== '') || !isAboutPage(parameters.get('anchor'), finalUrl)) continue;
    links.push({
      href,
      rel: rel.filter((token) => token !== ''),
      type: getText(parameters, 'type'),
      title: findExtendedText(parameters.get('title*')) ?? getText(parameters, 'title'),
      sizes: getText(parameters, 'sizes'),
      media: getText(parameters, 'media'),
      hreflang: getText(parameters, 'hreflang'),
    });
  }
  return links;
}

function getText(parameters: ReadonlyMap<string, string>, name: string): string | null {
  return normalizeText(parameters.get(name) ?? '', 'text');
}

/** An anchor makes another resource the context of a link. */
function isAboutPage(anchor: string | undefined, finalUrl: string): boolean {
  return anchor === undefined || URL.parse(anchor, finalUrl)?.href === URL.parse(finalUrl)?.href;
}

/** Decodes an extended value: `UTF-8'de'n%C3%A4chstes` (RFC 8187). Returns null for another charset. */
function findExtendedText(value: string | undefined): string | null {
  const match = /^utf-8'[a-z0-9-]*'(.*)$/is.exec(value ?? '');
  if (match === null) return null;
  try {
    return normalizeText(decodeURIComponent(match[1]!), 'text');
  } catch {
    return null;
  }
}

/** Each method moves on over what it parses. */
class LinkParser {
  #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the next link that has a target, or null at the end. */
  findNext(): { href: string; parameters: Map<string, string> } | null {
    while (this.#at < this.#text.length) {
      this.#skipSpace(',');
      if (this.#text[this.#at] !== '<') {
        this.#skipUntil(',');
        continue;
      }
      const end = this.#text.indexOf('>', this.#at);
      if (end < 0) return null;
      const href = this.#text.slice(this.#at + 1, end).trim();
      this.#at = end + 1;
      return { href, parameters: this.#parseParameters() };
    }
    return null;
  }

  /** Parses up to the comma before the next link. Of repeated parameters, the first counts. */
  #parseParameters(): Map<string, string> {
    const parameters = new Map<string, string>();
    for (;;) {
      // Text between a value and its separator is malformed, and skipped.
      this.#skipUntil(';,');
      if (this.#text[this.#at] !== ';') return parameters;
      this.#at++;
      const name = this.#parseToken('=;,').toLowerCase();
      const value = this.#text[this.#at] === '=' ? this.#parseValue() : '';
      if (name !== '' && parameters.size < MAX_PARAMETERS && !parameters.has(name))
        parameters.set(name, value);
    }
  }

  /** Parses the quoted string or token after an `=`. */
  #parseValue(): string {
    this.#at++;
    this.#skipSpace('');
    if (this.#text[this.#at] !== '"') return this.#parseToken(';,');
    let value = '';
    let from = ++this.#at;
    for (; this.#at < this.#text.length && this.#text[this.#at] !== '"'; this.#at++) {
      if (this.#text[this.#at] !== '\\') continue;
      value += this.#text.slice(from, this.#at);
      from = ++this.#at;
    }
    value += this.#text.slice(from, this.#at);
    this.#at++;
    return value;
  }

  /** Returns the text before one of `ends`, trimmed. */
  #parseToken(ends: string): string {
    const from = this.#at;
    this.#skipUntil(ends);
    return this.#text.slice(from, this.#at).trim();
  }

  #skipUntil(ends: string): void {
    while (this.#at < this.#text.length && !ends.includes(this.#text[this.#at]!)) this.#at++;
  }

  /** Skips white space and the characters of `others`. */
  #skipSpace(others: string): void {
    while (this.#at < this.#text.length && ` \t${others}`.includes(this.#text[this.#at]!)) this.#at++;
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a latin1 header value whose bytes are UTF-8, as raw paths are; another is returned as is. */
export function decodeHeaderText(value: string): string {
  if (!/[\x80-\xFF]/.test(value)) return value;
  try {
    return strictUtf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
