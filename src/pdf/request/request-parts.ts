/** Parts of a request that several parsers make. */
import type { Side, Sheet } from './sheet-members.ts';

/** A document of a request, and its sheet. Lengths are CSS pixels (1/96 in). */
export interface PdfDocument {
  html: string;
  /** UTF-8 bytes of `html`. */
  htmlBytes: number;
  /** Null: the document's @page rule decides, and without one it is DEFAULT_SHEET. */
  sheet: Sheet | null;
  /** Null: the document's @page rule decides, and without one it is DEFAULT_MARGINS. */
  margins: Record<Side, number | null>;
}

/** A watermark: HTML that is printed on a whole sheet, behind or over the content of every page. */
export interface Watermark {
  html: string;
  position: 'behind' | 'over';
}

/** The template language of a request, and the data that its templates are filled with. */
export interface Template {
  language: 'liquid';
  data: Record<string, unknown>;
}
