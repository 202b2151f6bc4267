/** The pages of a printed document: their number, and those of its link targets, from 0. */
export interface DocumentPages {
  count: number;
  targets: ReadonlyMap<string, number>;
}

/** The pages of the documents, as they are numbered in the whole PDF. */
interface PageIndex {
  /** For each document, the number of pages before it. */
  starts: number[];
  /** For each target, its page number in the first document that has it. */
  numbers: Map<string, number>;
}

/** Knows on which pages of the whole PDF the targets of links are, of all documents printed so far. */
export class PageMap {
  readonly #documents: (DocumentPages | undefined)[] = [];
  /** Null after a change: documents have thousands of links, and each asks. */
  #index: PageIndex | null = null;

  /** Sets the pages of a document, also when it was printed again. */
  set(index: number, pages: DocumentPages): void {
    this.#documents[index] = pages;
    this.#index = null;
  }

  /**
   * Finds the page number of a target, from 1: that in document `from`, or else in the first document that
   * has it. Returns null if none of those printed so far has it.
   */
  find(name: string, from: number): number | null {
    this.#index ??= this.#createIndex();
    const { starts, numbers } = this.#index;
    const page = this.#documents[from]?.targets.get(name);
    return page === undefined ? (numbers.get(name) ?? null) : (starts[from] ?? 0) + page + 1;
  }

  #createIndex(): PageIndex {
    const starts: number[] = [];
    const numbers = new Map<string, number>();
    let start = 0;
    for (let index = 0; index < this.#documents.length; index += 1) {
      const document = this.#documents[index];
      starts.push(start);
      for (const [name, page] of document?.targets ?? [])
        if (!numbers.has(name)) numbers.set(name, start + page + 1);
      start += document?.count ?? 0;
    }
    return { starts, numbers };
  }
}
