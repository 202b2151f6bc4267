/** Repairs the faults that templates leave in JSON-LD. Each repair has one possible meaning. */
import { decodeHTML } from 'entities/decode';

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
