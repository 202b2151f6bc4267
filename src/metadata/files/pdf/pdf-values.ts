/** Parses the values of a PDF (ISO 32000-2 §7.3): numbers, names, strings, references, dictionaries. */

export type PdfValue =
  | { kind: 'number'; value: number }
  | { kind: 'name'; value: string }
  /** One character per byte. */
  | { kind: 'string'; value: string }
  | { kind: 'reference'; object: number }
  | { kind: 'dictionary'; entries: PdfDictionary }
  /** An array, whose items are not kept, or a keyword. */
  | { kind: 'other' };

export type PdfDictionary = ReadonlyMap<string, PdfValue>;

/** Deeper dictionaries end the parse. */
const MAX_DEPTH = 16;
const MAX_ENTRIES = 1_000;
const OTHER: PdfValue = { kind: 'other' };

/** The number of characters of a file that may still be parsed. */
export interface ParseBudget {
  characters: number;
}

/**
 * Returns the dictionary at the start of `text` (latin1), or null. What comes after it is ignored. Takes what
 * it reads from the budget.
 */
export function parsePdfDictionary(text: string, budget: ParseBudget): PdfDictionary | null {
  const parser = new PdfParser(text.slice(0, budget.characters));
  const value = parser.parseValue(0);
  // What is not a value may have been read to its end.
  budget.characters -= value === null ? Math.min(text.length, budget.characters) : parser.at;
  return value?.kind === 'dictionary' ? value.entries : null;
}

/** Returns the value at the start of `text`, or null if there is none. */
export function parsePdfValue(text: string): PdfValue | null {
  return new PdfParser(text).parseValue(0);
}

const SPACE = /(?:[\0\t\n\f\r ]|%[^\r\n]*)*/y;
const REFERENCE = /(\d{1,10})[\0\t\n\f\r ]{1,20}\d{1,5}[\0\t\n\f\r ]{1,20}R(?![\w])/y;
const NUMBER = /[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})/y;
const NAME = /\/([^\0\t\n\f\r ()<>[\]{}/%]{0,200})/y;
const KEYWORD = /[a-zA-Z]{1,20}/y;
const HEX = /<([0-9a-fA-F\0\t\n\f\r ]*)>/y;
/** The items of an array that cannot contain its end. */
const ITEMS = /(?:[^[\]()%]+|%[^\r\n]*)*/y;

/** Each method moves on over what it parses; null means that the text is not a value. */
class PdfParser {
  #text: string;
  #at = 0;

  /** The number of characters that were parsed. */
  get at(): number {
    return this.#at;
  }

  constructor(text: string) {
    this.#text = text;
  }

  parseValue(depth: number): PdfValue | null {
    this.#match(SPACE);
    if (depth > MAX_DEPTH) return null;
    if (this.#text.startsWith('<<', this.#at)) return this.#parseDictionary(depth);
    const first = this.#text[this.#at];
    if (first === '(') return this.#parseString();
    if (first === '[') return this.#skipArray();
    if (first === '<') {
      const hex = this.#match(HEX)?.[1]?.replace(/[^0-9a-f]/gi, '');
      return hex === undefined ? null : { kind: 'string', value: Buffer.from(hex, 'hex').toString('latin1') };
    }
    const name = this.#match(NAME)?.[1];
    if (name !== undefined) return { kind: 'name', value: decodeName(name) };
    const object = this.#match(REFERENCE)?.[1];
    if (object !== undefined) return { kind: 'reference', object: Number(object) };
    const number = this.#match(NUMBER)?.[0];
    if (number !== undefined) return { kind: 'number', value: Number(number) };
    return this.#match(KEYWORD) === null ? null : OTHER;
  }

  #parseDictionary(depth: number): PdfValue | null {
    const entries = new Map<string, PdfValue>();
    this.#at += 2;
    // Of repeated names too: each costs time.
    for (let count = 0; count <= MAX_ENTRIES; count++) {
      this.#match(SPACE);
      if (this.#text.startsWith('>>', this.#at)) {
        this.#at += 2;
        return { kind: 'dictionary', entries };
      }
      const name = this.#match(NAME)?.[1];
      const value = name === undefined ? null : this.parseValue(depth + 1);
      if (name === undefined || value === null) return null;
      entries.set(decodeName(name), value);
    }
    return null;
  }

  /** Moves on to the end of an array. Its items are not parsed: there may be thousands. */
  #skipArray(): PdfValue | null {
    let depth = 0;
    for (;;) {
      this.#match(ITEMS);
      const bracket = this.#text[this.#at];
      if (bracket === '(') {
        if (this.#parseString() === null) return null;
        continue;
      }
      if (bracket !== '[' && bracket !== ']') return null;
      this.#at++;
      depth += bracket === '[' ? 1 : -1;
      if (depth === 0) return OTHER;
    }
  }

  /** Parses a literal string: balanced parentheses, escapes (§7.3.4.2). */
  #parseString(): PdfValue | null {
    let value = '';
    let depth = 0;
    for (let at = this.#at; at < this.#text.length; at++) {
      const character = this.#text[at]!;
      if (character === '\\') {
        const [escaped, length] = decodeEscape(this.#text, at + 1);
        value += escaped;
        at += length;
        continue;
      }
      if (character === '(' && depth++ === 0) continue;
      if (character === ')' && --depth === 0) {
        this.#at = at + 1;
        return { kind: 'string', value };
      }
      value += character;
    }
    return null;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Returns the character that is escaped at `at`, and the length of the escape after its backslash. */
function decodeEscape(text: string, at: number): [string, number] {
  const octal = /^[0-7]{1,3}/.exec(text.slice(at, at + 3))?.[0];
  if (octal !== undefined) return [String.fromCharCode(Number.parseInt(octal, 8) & 255), octal.length];
  const character = text[at] ?? '';
  // An escaped line end continues the string.
  if (character === '\r') return ['', text[at + 1] === '\n' ? 2 : 1];
  return character === '\n' ? ['', 1] : [ESCAPES[character] ?? character, 1];
}

function decodeName(name: string): string {
  return name.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The characters 0x80 to 0xA0 of PDFDocEncoding (annex D.2); the others are those of ISO 8859-1. */
const PDF_DOC = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\uFFFD€';

/** Decodes a text string by its byte-order mark: UTF-16 or UTF-8, else PDFDocEncoding (§7.9.2.2). */
export function decodePdfText(value: string): string {
  const charset = value.startsWith('\xFE\xFF')
    ? 'utf-16be'
    : value.startsWith('\xFF\xFE')
      ? 'utf-16le'
      : value.startsWith('\xEF\xBB\xBF')
        ? 'utf-8'
        : null;
  if (charset !== null) return new TextDecoder(charset).decode(Buffer.from(value, 'latin1'));
  return value.replace(/[\x80-\xA0]/g, (character) => PDF_DOC[character.charCodeAt(0) - 0x80]!);
}
