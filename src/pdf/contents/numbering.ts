import type { DocumentPages, PageMap } from './page-map.ts';
import type { ContentsMarks } from './contents-marks.ts';
import type { DocumentLinks } from './link-scripts.ts';
import { DEFAULT_STYLE, formatPageNumber, toNumberProperty } from './counter-styles.ts';

/** The place of a document in its PDF. */
export interface NumberingPlace {
  pages: PageMap;
  /** The place of the document in the PDF, from 0. */
  index: number;
  /** Names that other documents link to. */
  wanted: readonly string[];
  /** The PDF has other documents. */
  hasOthers: boolean;
}

/** A document whose links are numbered. */
export interface NumberingOptions extends NumberingPlace {
  marks: ContentsMarks;
}

/** The number of a page that is not known yet, and of a target that is on no page. */
const UNKNOWN = 0;
const NOWHERE = -1;
/** As wide as most numbers. */
const UNKNOWN_TEXT = '00';

/** The page numbers that the links of one document show. */
export class Numbering {
  readonly options: NumberingOptions;
  /** Documents that follow have not been printed yet: their targets have no numbers. */
  awaitsOthers = false;
  #links: DocumentLinks = new Map();
  #isPrinted = false;
  #shown: ReadonlyMap<string, number> = new Map();

  constructor(options: NumberingOptions) {
    this.options = options;
  }

  /** True if the document must be asked for its links. */
  get isNeeded(): boolean {
    const { marks, hasOthers } = this.options;
    return marks.hasMarks || hasOthers;
  }

  /** True if links of the document have page numbers. */
  get hasLinks(): boolean {
    return this.#links.size > 0;
  }

  /** True if a number depends on documents that have not been printed. */
  get isWaiting(): boolean {
    return (
      this.awaitsOthers && [...this.#links].some(([name, isHere]) => !isHere && this.#find(name) === UNKNOWN)
    );
  }

  /** The names of links with numbers that are on no page. */
  get missing(): string[] {
    return [...this.#links.keys()].filter((name) => this.#find(name) === NOWHERE);
  }

  /** Sets the links of the document, which has not been printed with them. */
  setLinks(links: DocumentLinks): void {
    this.#links = links;
    this.#shown = new Map();
  }

  /** Sets the pages of the document that was printed. */
  setPages(pages: DocumentPages): void {
    this.#isPrinted = true;
    this.options.pages.set(this.options.index, pages);
  }

  /** Checks whether the numbers that were printed are those of the pages as they are now. */
  isCurrent(): boolean {
    return [...this.#links.keys()].every((name) => this.#shown.get(name) === this.#find(name));
  }

  /** Takes the numbers of the pages as they are now. Returns the texts of links, by name. */
  update(): { properties: string[]; texts: Map<string, string[]> } {
    const styles = [...new Set([DEFAULT_STYLE, ...this.options.marks.counterStyles])];
    this.#shown = new Map([...this.#links.keys()].map((name) => [name, this.#find(name)]));
    return {
      properties: styles.map(toNumberProperty),
      texts: new Map(
        [...this.#shown].map(([name, page]) => [name, styles.map((style) => formatText(page, style))]),
      ),
    };
  }

  #find(name: string): number {
    const found = this.options.pages.find(name, this.options.index);
    if (found !== null) return found;
    const isPending = this.#links.get(name) === true ? !this.#isPrinted : this.awaitsOthers;
    return isPending ? UNKNOWN : NOWHERE;
  }
}

function formatText(page: number, style: string): string {
  if (page === NOWHERE) return '';
  return page === UNKNOWN ? UNKNOWN_TEXT : formatPageNumber(page, style);
}
