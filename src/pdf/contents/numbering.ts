import type { DocumentPages, PageMap } from './page-map.ts';
import { ContentsMarks, type ContentsText } from './contents-marks.ts';
import type { DocumentLinks } from './link-scripts.ts';
import { DEFAULT_STYLE, formatPageNumber, toNumberProperty } from './counter-styles.ts';

/** The place of a document in its PDF. */
export interface NumberingPlace {
  pages: PageMap;
  /** The place of the document in the PDF, from 0. */
  index: number;
  /** Names that documents of the PDF link to. */
  wanted: readonly string[];
}

/** The texts of a document that may show page numbers, with the styles of its sheets if it is static. */
interface NumberedTexts {
  prepared: { contents: Pick<ContentsText, 'counterStyles' | 'hasMarks'> };
  inlined: { document: { counterStyles: readonly string[] } | null };
}

/** A document whose links are numbered. */
export interface NumberingOptions extends NumberingPlace {
  marks: ContentsMarks;
}

/** The numbers of links, and their texts: for each name, the values of `properties`. */
export interface LinkNumbers {
  numbers: ReadonlyMap<string, number>;
  properties: string[];
  texts: Map<string, string[]>;
}

/** A number with more digits may move what follows, and so change numbers. */
const MAX_PRINTS = 3;
/** The number of a page that is not known yet, and of a target that is on no page. */
const UNKNOWN = 0;
const NOWHERE = -1;
/** As wide as most numbers. */
const UNKNOWN_TEXT = '00';

/** The page numbers that the links of one document show, over all of its prints. */
export class Numbering {
  readonly options: NumberingOptions;
  #links: DocumentLinks = new Map();
  #prints = 0;
  #shown: ReadonlyMap<string, number> = new Map();

  constructor(options: NumberingOptions) {
    this.options = options;
  }

  /** True if the document must be asked for its links. */
  get isNeeded(): boolean {
    const { marks, pages } = this.options;
    return marks.hasMarks || pages.hasOthers;
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
    this.options.pages.set(this.options.index, pages);
  }

  /** Checks whether the numbers that were printed are the pages' numbers as they are now. */
  isCurrent(): boolean {
    return [...this.#links.keys()].every((name) => this.#shown.get(name) === this.#find(name));
  }

  /** Formats the numbers of the pages as they are now. */
  formatNumbers(): LinkNumbers {
    const styles = [...new Set([DEFAULT_STYLE, ...this.options.marks.counterStyles])];
    const numbers = new Map([...this.#links.keys()].map((name) => [name, this.#find(name)]));
    const toTexts = (page: number): string[] => styles.map((style) => formatText(page, style));
    return {
      numbers,
      properties: styles.map(toNumberProperty),
      texts: new Map([...numbers].map(([name, page]) => [name, toTexts(page)])),
    };
  }

  /** Sets the numbers that the links of the page show. */
  setShown({ numbers }: LinkNumbers): void {
    this.#shown = numbers;
  }

  #find(name: string): number {
    const { pages, index } = this.options;
    const found = pages.find(name, index);
    if (found !== null) return found;
    const isPending = this.#links.get(name) === true ? this.#prints === 0 : !pages.hasOthersOf(index);
    return isPending ? UNKNOWN : NOWHERE;
  }
}

function formatText(page: number, style: string): string {
  if (page === NOWHERE) return '';
  return page === UNKNOWN ? UNKNOWN_TEXT : formatPageNumber(page, style);
}

/**
 * Creates the page numbers of a document's links. Null if it has none: only a document of the warm lane may
 * get links while it loads.
 */
export function createNumbering(
  { prepared: { contents }, inlined: { document } }: NumberedTexts,
  place: NumberingPlace,
): Numbering | null {
  const counterStyles = document?.counterStyles ?? [];
  const isCertain = document !== null && !contents.hasMarks && counterStyles.length === 0;
  if (isCertain && !place.pages.hasOthers) return null;
  const marks = new ContentsMarks(contents);
  marks.addCounterStyles(counterStyles);
  return new Numbering({ ...place, marks });
}
