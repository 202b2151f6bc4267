/** The pages of a printed document: their number, and those of its link targets, from 0. */
export interface DocumentPages {
  count: number;
  targets: ReadonlyMap<string, number>;
}

/** The pages of the documents, as they are numbered in the whole PDF. */
interface PageIndex {
  /** For each document, the number of pages before it. */
  starts: number[];
  /** For each target, its page number in the first document that has it, and the index of that document. */
  numbers: Map<string, { page: number; document: number }>;
}

/** Knows on which pages of the whole PDF the targets of links are, of all documents printed so far. */
export class PageMap {
  readonly #documents: (DocumentPages | undefined)[];
  /** The documents that will not be printed again. */
  readonly #settled = new Set<number>();
  /** Null after a change: documents have thousands of links, and each asks. */
  #index: PageIndex | null = null;

  /** Creates the map of a PDF that has `count` documents. */
  constructor(count: number) {
    this.#documents = Array.from({ length: count }, () => undefined);
  }

  /** Checks whether all documents but `index` have been printed. */
  hasOthersOf(index: number): boolean {
    return this.#documents.every((pages, at) => at === index || pages !== undefined);
  }

  /** Sets the pages of a document, also when it was printed again. */
  set(index: number, pages: DocumentPages): void {
    this.#documents[index] = pages;
    this.#index = null;
  }

  /** Notes that a document will not be printed again. */
  settle(index: number): void {
    this.#settled.add(index);
  }

  /**
   * Finds the page number of a target, from 1: that in document `from`, or else in the first document that
   * has it. Returns null if none of those printed so far has it.
   */
  find(name: string, from: number): number | null {
    const { starts, numbers } = this.#getIndex();
    const page = this.#documents[from]?.targets.get(name);
    return page === undefined ? (numbers.get(name)?.page ?? null) : (starts[from] ?? 0) + page + 1;
  }

  /**
   * Returns a function that checks whether the number of a target, as document `from` shows it, depends on no
   * other document that may be printed again: those before the target's, and its own.
   */
  createSettledCheck(from: number): (name: string) => boolean {
    const { numbers } = this.#getIndex();
    const open = this.#documents.findIndex((_pages, index) => index !== from && !this.#settled.has(index));
    const firstOpen = open < 0 ? Number.POSITIVE_INFINITY : open;
    const last = this.#documents.length - 1;
    const own = this.#documents[from]?.targets;
    return (name) => (own?.has(name) ? from : (numbers.get(name)?.document ?? last)) < firstOpen;
  }

  #getIndex(): PageIndex {
    return (this.#index ??= this.#createIndex());
  }

  #createIndex(): PageIndex {
    const starts: number[] = [];
    const numbers: PageIndex['numbers'] = new Map();
    let start = 0;
    for (const [index, document] of this.#documents.entries()) {
      starts.push(start);
      for (const [name, page] of document?.targets ?? [])
        if (!numbers.has(name)) numbers.set(name, { page: start + page + 1, document: index });
      start += document?.count ?? 0;
    }
    return { starts, numbers };
  }
}
