import type { Position, PrintedPages } from '../pdf-file/printed-pages.ts';

/** The pages of a printed document. */
export type DocumentPages = Pick<PrintedPages, 'count' | 'locate' | 'targets'>;

/**
 * The one place that knows where the elements of a PDF are: the page of each target of a link, and its
 * position there, over all documents printed so far. Any element becomes a target if it has an id that is
 * among the names that the PDF wants (`LinkQuery`).
 */
export class PageMap {
  readonly #documents: (DocumentPages | undefined)[];
  /** For each name, the first document that has it: documents have thousands of links, and each asks. */
  readonly #owners = new Map<string, number>();

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
    const before = this.#documents[index]?.targets.keys() ?? [];
    this.#documents[index] = pages;
    for (const name of before)
      if (this.#owners.get(name) === index && !pages.targets.has(name)) this.#replaceOwner(name);
    for (const name of pages.targets.keys())
      if ((this.#owners.get(name) ?? index) >= index) this.#owners.set(name, index);
  }

  /**
   * Finds the page number of a target in the whole PDF, from 1: that in document `from`, or else in the first
   * document that has it. Returns null if none of those printed so far has it.
   */
  find(name: string, from: number): number | null {
    const owner = this.#findOwner(name, from);
    const page = this.#documents[owner]?.targets.get(name);
    return page === undefined ? null : this.#countBefore(owner) + page + 1;
  }

  /** Finds where that target is on the sheet; null also for one on a turned sheet. `page` is as of `find`. */
  locate(name: string, from: number): Position | null {
    const owner = this.#findOwner(name, from);
    const position = this.#documents[owner]?.locate(name) ?? null;
    return position && { ...position, page: this.#countBefore(owner) + position.page + 1 };
  }

  #findOwner(name: string, from: number): number {
    return this.#documents[from]?.targets.has(name) === true ? from : (this.#owners.get(name) ?? -1);
  }

  #countBefore(index: number): number {
    return this.#documents.slice(0, index).reduce((sum, pages) => sum + (pages?.count ?? 0), 0);
  }

  /** Finds the next owner of a target that its first document does not have any more. */
  #replaceOwner(name: string): void {
    const owner = this.#documents.findIndex((pages) => pages?.targets.has(name));
    if (owner < 0) this.#owners.delete(name);
    else this.#owners.set(name, owner);
  }
}
