/**
 * A stack of open elements. The code that reads the tags decides what opens an element and what an end tag
 * closes.
 */
export class OpenElements<Element extends { readonly name: string }> {
  readonly #elements: Element[] = [];
  /** The number of elements by name: most end tags match none, and need no search. */
  readonly #counts = new Map<string, number>();

  /** The number of open elements. */
  get depth(): number {
    return this.#elements.length;
  }

  /** The innermost element. */
  get top(): Element | undefined {
    return this.#elements.at(-1);
  }

  /** Returns the element at a depth; the outermost is at 1. */
  at(depth: number): Element {
    return this.#elements[depth - 1]!;
  }

  /** Returns the number of open elements of this name. */
  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  open(element: Element): void {
    this.#elements.push(element);
    this.#counts.set(element.name, this.count(element.name) + 1);
  }

  /** Closes the elements inside the one at `depth`. Returns them, the innermost first. */
  closeTo(depth: number): Element[] {
    const closed = this.#elements.splice(depth).reverse();
    for (const { name } of closed) this.#counts.set(name, this.count(name) - 1);
    return closed;
  }

  /**
   * Closes the innermost element of this name and all inside it. Returns them, the innermost first; null if
   * none of this name is open.
   */
  close(name: string): Element[] | null {
    if (this.count(name) === 0) return null;
    return this.closeTo(this.#elements.findLastIndex((element) => element.name === name));
  }
}

/** Formats the end tags of elements, in their order. */
export function formatEndTags(elements: readonly { readonly name: string }[]): string {
  return elements.map(({ name }) => `</${name}>`).join('');
}
