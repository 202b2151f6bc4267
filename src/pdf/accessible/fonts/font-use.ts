import { PDFName, type PDFDict } from '@cantoo/pdf-lib';
import { setShownCodes, type ContentSlice, type ShownCodes } from './shown-codes.ts';

const SUBTYPE = PDFName.of('Subtype');
const COMPOSITE = PDFName.of('Type0');
const MAX_CODES = 65_536;

/** Selects fonts, and notes the codes of the text that is shown in them. */
export interface TextCursor {
  select: (font: PDFDict | undefined) => void;
  /** `slice`: a text-showing operator with its operands. */
  show: (slice: ContentSlice) => void;
}

/** The codes of the characters that content streams show, by font. */
export class FontUse {
  readonly #shown = new Map<PDFDict, ShownCodes>();

  /** Returns a cursor for one content stream. */
  createCursor(): TextCursor {
    let shown: ShownCodes | undefined;
    return {
      select: (font) => {
        if (font !== undefined) shown = this.#open(font);
      },
      show: (slice) => {
        if (shown !== undefined) setShownCodes(slice, shown);
      },
    };
  }

  /** Yields each font with the codes that are shown in it. */
  *[Symbol.iterator](): Generator<[font: PDFDict, codes: number[]], void, undefined> {
    for (const [font, { codes }] of this.#shown) {
      const list: number[] = [];
      for (let code = codes.indexOf(1); code >= 0; code = codes.indexOf(1, code + 1)) list.push(code);
      yield [font, list];
    }
  }

  #open(font: PDFDict): ShownCodes {
    const known = this.#shown.get(font);
    if (known !== undefined) return known;
    const isComposite = font.lookup(SUBTYPE) === COMPOSITE;
    const shown: ShownCodes = isComposite
      ? { bytesPerCode: 2, codes: new Uint8Array(MAX_CODES) }
      : { bytesPerCode: 1, codes: new Uint8Array(256) };
    this.#shown.set(font, shown);
    return shown;
  }
}
