import { scanHtml, VOID_ELEMENTS } from '#html';

/** The place of a piece of a template: text of HTML, text of SVG, or a tag or style. */
export type TemplatePlace = 'html' | 'svg' | 'markup';

/** Tags of a whole document or about it, and one that turns all that follows into text. */
const DROPPED = new Set('html head body frameset frame meta base plaintext'.split(' '));

/**
 * Closes the elements that a template leaves open and drops end tags without a start tag, so that it stays
 * inside its wrapper. `transform` returns the replacement of each piece.
 */
export function balanceTemplate(
  html: string,
  transform: (source: string, place: TemplatePlace) => string,
): string {
  let result = '';
  const open = new OpenElements();
  for (const { kind, name, start, end } of scanHtml(html)) {
    const source = html.slice(start, end);
    if (kind === 'comment' || kind === 'doctype' || DROPPED.has(name)) continue;
    if (kind === 'text') {
      result += transform(source, open.isInSvg() ? 'svg' : 'html');
      continue;
    }
    // A tag that the end of the template cuts off.
    if (kind !== 'raw' && !source.endsWith('>')) continue;
    if (kind === 'end' && !open.close(name)) continue;
    if (kind === 'start' && !VOID_ELEMENTS.has(name) && !source.endsWith('/>')) open.open(name);
    result += transform(source, 'markup');
  }
  return result + open.formatEndTags();
}

/** The stack of open elements, with the number of each name. */
class OpenElements {
  readonly #names: string[] = [];
  readonly #counts = new Map<string, number>();

  open(name: string): void {
    this.#names.push(name);
    this.#counts.set(name, this.#count(name) + 1);
  }

  /** Closes the last element of this name and those in it. Returns false if none is open. */
  close(name: string): boolean {
    if (this.#count(name) === 0) return false;
    for (let last = this.#names.pop(); last !== undefined; last = this.#names.pop()) {
      this.#counts.set(last, this.#count(last) - 1);
      if (last === name) break;
    }
    return true;
  }

  isInSvg(): boolean {
    return this.#count('svg') > this.#count('foreignobject');
  }

  formatEndTags(): string {
    return this.#names
      .toReversed()
      .map((name) => `</${name}>`)
      .join('');
  }

  #count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}
