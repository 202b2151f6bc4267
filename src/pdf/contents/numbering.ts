import type { DocumentPages, PageMap } from './page-map.ts';
import { type DocumentLinks, NOWHERE, UNKNOWN } from './link-scripts.ts';

/** The place of a document in its PDF. */
interface NumberingPlace {
  pages: PageMap;
  /** The place of the document in the PDF, from 0. */
  index: number;
  /** Names that documents of the PDF link to. */
  wanted: readonly string[];
}

/** A number with more digits may move what follows, and so change numbers. */
const MAX_PRINTS = 3;

/** The page numbers that the links of one document show, over all of its prints. */
export class Numbering {
  readonly place: NumberingPlace;
  #links: DocumentLinks = new Map();
  #prints = 0;
  #shown: ReadonlyMap<string, number> = new Map();

  constructor(place: NumberingPlace) {
    this.place = place;
  }

  /** True if links of the document have page numbers. */
  get hasLinks(): boolean {
    return this.#links.size > 0;
  }

  /** True if a number depends on documents that have not been printed. */
  get isWaiting(): boolean {
    return [...this.#links.keys()].some((name) => this.#find(name) === UNKNOWN);
  }

  /** True if the document is not to be printed again, whatever the pages of others become. */
  get isFinal(): boolean {
    return this.#prints > 0 && (!this.hasLinks || this.#prints >= MAX_PRINTS);
  }

  /** True if the document is to be printed again, as its numbers have changed. */
  get isStale(): boolean {
    return !this.isFinal && !this.isCurrent();
  }

  /** The names of links with numbers that are on no page. */
  get missing(): string[] {
    return [...this.#links.keys()].filter((name) => this.#find(name) === NOWHERE);
  }

  /** Sets the links of the document, which has not been printed with them since it was loaded. */
  setLinks(links: DocumentLinks): void {
    this.#links = links;
    this.#shown = new Map();
  }

  /** Sets the pages of the document that was printed. */
  setPages(pages: DocumentPages): void {
    this.#prints += 1;
    this.place.pages.set(this.place.index, pages);
  }

  /** Checks whether the numbers that were printed are the pages' numbers as they are now. */
  isCurrent(): boolean {
    return [...this.#links.keys()].every((name) => this.#shown.get(name) === this.#find(name));
  }

  /** Returns the numbers as they are now, which the links show in the next print. */
  takeNumbers(): ReadonlyMap<string, number> {
    this.#shown = new Map([...this.#links.keys()].map((name) => [name, this.#find(name)]));
    return this.#shown;
  }

  #find(name: string): number {
    const { pages, index } = this.place;
    const found = pages.find(name, index);
    if (found !== null) return found;
    const isPending = this.#links.get(name) === true ? this.#prints === 0 : !pages.hasOthersOf(index);
    return isPending ? UNKNOWN : NOWHERE;
  }
}
