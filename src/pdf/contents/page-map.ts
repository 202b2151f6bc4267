/** The pages of a printed document: how many, and the ones of its link targets, from 0. */
export interface DocumentPages {
  count: number;
  targets: ReadonlyMap<string, number>;
}

/** The place of a target: its page in the first document that has it, and the index of that document. */
interface TargetPlace {
  page: number;
  document: number;
}

/** Knows on which pages of the whole PDF the targets of links are, of all documents printed so far. */
export class PageMap {
  readonly #documents: (DocumentPages | undefined)[];
  /** By name: documents have thousands of links, and each asks. */
  readonly #places = new Map<string, TargetPlace>();
  /** For each document, the number of pages before it. Null after a change. */
  #starts: number[] | null = null;

  /** Creates the map of a PDF that has `count` documents. */
  constructor(count: number) {
    this.#documents = Array.from({ length: count }, () => undefined);
  }

  /** True if the PDF has several documents. */
  get hasOthers(): boolean {
    return this.#documents.length > 1;
  }

  /** Checks whether all documents but `index` have been printed. */
  hasOthersOf(index: number): boolean {
    return this.#documents.every((pages, at) => at === index || pages !== undefined);
  }

  /** Sets the pages of a document, also when it was printed again. */
  set(index: number, pages: DocumentPages): void {
    const before = this.#documents[index]?.targets ?? new Map<string, number>();
    this.#documents[index] = pages;
    this.#starts = null;
    for (const name of before.keys())
      if (!pages.targets.has(name) && this.#places.get(name)?.document === index) this.#replace(name);
    for (const [name, page] of pages.targets)
      if ((this.#places.get(name)?.document ?? index) >= index)
        this.#places.set(name, { page, document: index });
  }

  /**
   * Finds the page number of a target, from 1: that in document `from`, or else in the first document that
   * has it. Returns null if none of those printed so far has it.
   */
  find(name: string, from: number): number | null {
    const page = this.#documents[from]?.targets.get(name);
    const place = page === undefined ? this.#places.get(name) : { page, document: from };
    return place === undefined ? null : this.#getStart(place.document) + place.page + 1;
  }

  #getStart(index: number): number {
    this.#starts ??= this.#computeStarts();
    return this.#starts[index] ?? 0;
  }

  #computeStarts(): number[] {
    let start = 0;
    return this.#documents.map((document) => {
      start += document?.count ?? 0;
      return start - (document?.count ?? 0);
    });
  }

  /** Finds the place of a target that its first document does not have any more. */
  #replace(name: string): void {
    const document = this.#documents.findIndex((pages) => pages?.targets.has(name));
    const page = this.#documents[document]?.targets.get(name);
    if (page === undefined) this.#places.delete(name);
    else this.#places.set(name, { page, document });
  }
}
