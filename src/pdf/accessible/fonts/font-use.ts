import { PDFName, type PDFDict } from '@cantoo/pdf-lib';
import { parseShownStrings } from '../content/shown-strings.ts';

const SUBTYPE = PDFName.of('Subtype');
const COMPOSITE = PDFName.of('Type0');
const MAX_CODES = 65_536;

/** Selects fonts, and notes the codes of the text that is shown in them. */
export interface TextCursor {
  select: (font: PDFDict | undefined) => void;
  /** `slice`: a text-showing operator with its operands. */
  show: (slice: Uint8Array) => void;
}

/** The codes of the characters that content streams show, by font. */
export class FontUse {
  readonly #codes = new Map<PDFDict, Uint8Array>();

  /** Returns a cursor for one content stream. */
  createCursor(): TextCursor {
    let bytesPerCode = 1;
    let codes: Uint8Array | undefined;
    return {
      select: (font) => {
        if (font === undefined) return;
        bytesPerCode = font.lookup(SUBTYPE) === COMPOSITE ? 2 : 1;
        codes = this.#codes.get(font);
        if (codes !== undefined) return;
        codes = new Uint8Array(bytesPerCode === 2 ? MAX_CODES : 256);
        this.#codes.set(font, codes);
      },
      show: (slice) => {
        if (codes === undefined) return;
        for (const bytes of parseShownStrings(slice))
          for (let at = 0; at < bytes.length; at += bytesPerCode)
            codes[bytesPerCode === 2 ? (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0) : (bytes[at] ?? 0)] = 1;
      },
    };
  }

  /** Yields each font with the codes that are shown in it. */
  *[Symbol.iterator](): Generator<[font: PDFDict, codes: number[]], void, undefined> {
    for (const [font, shown] of this.#codes) {
      const codes: number[] = [];
      for (let code = shown.indexOf(1); code >= 0; code = shown.indexOf(1, code + 1)) codes.push(code);
      yield [font, codes];
    }
  }
}
