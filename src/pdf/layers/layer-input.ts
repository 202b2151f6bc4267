import type { PdfRequest, Watermark } from '../pdf-request.ts';
import type { Side } from '../page-geometry.ts';

/**
 * The templates of layers. Each is balanced, its placeholders are filled (`fillTemplate`), its resources are
 * inlined, and it has no wrapper. Blank: nothing is printed.
 */
export interface LayerTemplates {
  header: string | null;
  footer: string | null;
  /** Replace the header and the footer of the first page. Null: as on the other pages. */
  firstHeader: string | null;
  firstFooter: string | null;
  watermark: string | null;
}

/** A page of the whole PDF. Lengths are CSS pixels. */
export interface LayerPage {
  /** Those of its MediaBox. */
  width: number;
  height: number;
  /** Of its document. */
  margins: Readonly<Record<Side, number>>;
}

export interface LayerInput {
  templates: LayerTemplates;
  watermarkPosition: Watermark['position'];
  /** The title of the whole PDF, for elements of the class `title`. */
  title: string;
  /** All pages, in their order. */
  pages: readonly LayerPage[];
}

/**
 * Prints a document that runs no script and loads nothing, whose @page rule sets the sheet: without a header,
 * a footer, margins and tags, with `preferCSSPageSize` and a scale of 1.
 */
export type PrintSheets = (html: string) => Promise<Uint8Array>;

/** True if Chromium cannot print the header and the footer: they number several documents, or differ. */
export function hasOwnHeaders({ moreDocuments, firstHeaderHtml, firstFooterHtml }: PdfRequest): boolean {
  return moreDocuments.length > 0 || firstHeaderHtml !== null || firstFooterHtml !== null;
}
