/** The pages of a printed document: their number, and those of its link targets, from 0. */
export interface DocumentPages {
  count: number;
  targets: ReadonlyMap<string, number>;
}

/** Knows on which pages of the whole PDF the targets of links are, of all documents printed so far. */
export class PageMap {
  readonly #documents: (DocumentPages | undefined)[] = [];

  /** Sets the pages of a document, also when it was printed again. */
  set(index: number, pages: DocumentPages): void {
    this.#documents[index] = pages;
  }

  /**
   * Finds the page number of a target, from 1: that in document `from`, or else in the first document that
   * has it. Returns null if none of those printed so far has it.
   */
  find(name: string, from: number): number | null {
    return this.#findIn(from, name) ?? this.#findAnywhere(name);
  }

  #findAnywhere(name: string): number | null {
    for (const index of this.#documents.keys()) {
      const page = this.#findIn(index, name);
      if (page !== null) return page;
    }
    return null;
  }

  #findIn(index: number, name: string): number | null {
    const page = this.#documents[index]?.targets.get(name);
    return page === undefined ? null : this.#countBefore(index) + page + 1;
  }

  #countBefore(index: number): number {
    let count = 0;
    for (let at = 0; at < index; at += 1) count += this.#documents[at]?.count ?? 0;
    return count;
  }
}
