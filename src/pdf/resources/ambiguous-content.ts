import type { HtmlToken } from '#html';

/**
 * Finds where a token may mean something else to the parser of a browser than to a scan of the source: within
 * elements that have a syntax of their own (HTML standard §13.2.6.4.16 and §13.2.6.5).
 */
export class AmbiguousContent {
  readonly #html: string;
  /** The elements that the scan may be in, by name. */
  readonly #open = new Map([
    ['svg', 0],
    ['math', 0],
    ['select', 0],
  ]);
  #openCount = 0;

  constructor(html: string) {
    this.#html = html;
  }

  /** The scan may be in one of these elements. */
  get isInside(): boolean {
    return this.#openCount > 0;
  }

  /** Takes the next token. Returns true if its meaning is not certain. */
  check(token: HtmlToken): boolean {
    if (hasOwnSyntax(token.name)) this.#count(token);
    return this.#openCount > 0 && this.#isAmbiguous(token);
  }

  #count({ kind, name, end }: HtmlToken): void {
    const open = this.#open.get(name) ?? 0;
    // Only foreign elements can be empty.
    const isOpened = kind === 'start' && (name === 'select' || !this.#html.endsWith('/>', end));
    const change = isOpened ? 1 : kind === 'end' && open > 0 ? -1 : 0;
    this.#open.set(name, open + change);
    this.#openCount += change;
  }

  #isAmbiguous({ kind, name, start, end }: HtmlToken): boolean {
    const source = this.#html.slice(start, end);
    if (kind === 'comment') return source.startsWith('<![');
    if (kind === 'raw') return source.includes('<') || (name === 'style' && source.includes('&'));
    return kind === 'start' && (name === 'template' || name === 'noscript');
  }
}

/** Looking a name up takes longer: its hash is not known yet. */
function hasOwnSyntax(name: string): boolean {
  return name === 'svg' || name === 'math' || name === 'select';
}
