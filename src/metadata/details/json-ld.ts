/** Parses a page's structured data (application/ld+json). */
import { decodeHTML } from 'entities/decode';

/** A JSON-LD node object. */
export type JsonLdNode = Readonly<Record<string, unknown>>;

/** Descriptions of pages are not nested deeper, and JSON.stringify overflows the stack at 100,000 levels. */
const MAX_DEPTH = 32;

/**
 * Parses one block. Its strings become well-formed Unicode without controls. Returns null if it is not JSON
 * even after `repairJson`, or nested more than 32 levels deep.
 */
export function parseJsonLd(text: string): unknown {
  const json = unwrap(text.trim());
  const value = parse(json) ?? parse(repairJson(json));
  if (value === undefined) return null;
  return MAY_BE_UNCLEAN.test(text) ? clean(value) : value;
}

/** Matches each text whose JSON may have controls or lone surrogates in its strings: most have none. */
const MAY_BE_UNCLEAN = /[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F]|\\(?:b|u(?:00[01789]|d[89a-f]))|&#/i;

/** Returns undefined for what is not JSON, or too deep. */
function parse(json: string): unknown {
  if (isTooDeep(json)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const OPENINGS = ['//<![CDATA[', '/*<![CDATA[*/', '<![CDATA[', '<!--'];
const CLOSINGS = ['//]]>', '/*]]>*/', ']]>', '//-->', '-->', ';'];

/** Removes the comment or CDATA marks that hid the JSON from old browsers, and a semicolon after it. */
function unwrap(text: string): string {
  let json = text;
  for (const opening of OPENINGS) if (json.startsWith(opening)) json = json.slice(opening.length).trimStart();
  for (const closing of CLOSINGS) if (json.endsWith(closing)) json = json.slice(0, -closing.length).trimEnd();
  return json;
}

function isTooDeep(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanString(value);
  if (Array.isArray(value)) return value.map(clean);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleanString(key), clean(member)]));
}

function cleanString(text: string): string {
  return text.replace(/[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F]+/g, '').toWellFormed();
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Returns `json` with its faults repaired, in one pass:
 *
 * | fault | example | repaired |
 * |---|---|---|
 * | a control character in a string | a raw line break | `\n` |
 * | an escape that JSON does not have | `\'` | `'` |
 * | a comma before the end of a list or object | `[1,]` | `[1]` |
 * | a comment outside of strings | `// a` | a space |
 * | quotes as character references | `{&quot;a&quot;:1}` | `{"a":1}` |
 */
export function repairJson(json: string): string {
  const text = /^[[{]\s*&(?:quot|#34|#x22);/i.test(json) ? decodeHTML(json) : json;
  return new JsonRepair(text).run();
}

class JsonRepair {
  #text: string;
  #at = 0;
  /** The text up to here is in `#parts`. */
  #copiedTo = 0;
  #parts: string[] = [];
  /** The comma after which there was only space so far, with the state at it. */
  #comma: { at: number; parts: number; copiedTo: number } | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  run(): string {
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]!;
      if (' \t\n\r'.includes(character) || (character === '/' && this.#repairComment())) continue;
      if (character === '}' || character === ']') this.#dropComma();
      this.#comma = null;
      if (character === '"') this.#repairString();
      else if (character === ',')
        this.#comma = { at: this.#at, parts: this.#parts.length, copiedTo: this.#copiedTo };
    }
    return this.#parts.join('') + this.#text.slice(this.#copiedTo);
  }

  /** Drops what follows the last value of a list or object: a comma, and the space and comments after it. */
  #dropComma(): void {
    if (this.#comma === null) return;
    this.#parts.length = this.#comma.parts;
    this.#parts.push(this.#text.slice(this.#comma.copiedTo, this.#comma.at));
    this.#copiedTo = this.#at;
  }

  /** Moves to the quote that ends the string. */
  #repairString(): void {
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]!;
      if (character === '"') return;
      if (character === '\\') this.#repairEscape();
      else if (character < ' ') this.#replace(1, ESCAPES[character] ?? '');
    }
  }

  /** Skips a valid escape. Of another, removes the backslash. */
  #repairEscape(): void {
    const next = this.#text[this.#at + 1] ?? '';
    const isValid =
      next === 'u'
        ? /^[\da-f]{4}$/i.test(this.#text.slice(this.#at + 2, this.#at + 6))
        : next !== '' && '"\\/bfnrt'.includes(next);
    if (isValid) this.#at++;
    else this.#replace(1, '');
  }

  /** Moves to the end of a comment. Returns whether there is one. */
  #repairComment(): boolean {
    const kind = this.#text[this.#at + 1];
    const end = kind === '*' ? '*/' : kind === '/' ? '\n' : null;
    if (end === null) return false;
    const found = this.#text.indexOf(end, this.#at + 2);
    const length = (found < 0 ? this.#text.length : found + end.length) - this.#at;
    this.#replace(length, ' ');
    this.#at += length - 1;
    return true;
  }

  /** Replaces the next `length` characters of the text. */
  #replace(length: number, by: string): void {
    this.#parts.push(this.#text.slice(this.#copiedTo, this.#at), by);
    this.#copiedTo = this.#at + length;
  }
}
