import type { Templates } from '../load/print-templates.ts';
import type { PdfRequest, Watermark } from '../pdf-request.ts';
import type { Side } from '../page-geometry.ts';

/** A page of the whole PDF. Lengths are CSS pixels. */
export interface LayerPage {
  /** Those of its MediaBox. */
  width: number;
  height: number;
  /** Of its document. */
  margins: Readonly<Record<Side, number>>;
}

export interface LayerInput {
  templates: Templates;
  watermarkPosition: Watermark['position'];
  /** The title of the whole PDF, for elements of the class `title`. */
  title: string;
  /** All pages, in their order. */
  pages: readonly LayerPage[];
}

/** The page of the browser in which sheets are made. It runs no script and loads nothing. */
export interface SheetPrinter {
  /** Evaluates an expression in a world of the service. */
  evaluate: (expression: string) => Promise<unknown>;
  /**
   * Prints a document whose @page rule sets the sheet: without a header, a footer, margins and tags, with
   * `preferCSSPageSize` and a scale of 1.
   */
  print: (html: string) => Promise<Uint8Array>;
}

/** True if Chromium cannot print the header and the footer: they number several documents, or differ. */
export function hasOwnHeaders({ moreDocuments, firstHeaderHtml, firstFooterHtml }: PdfRequest): boolean {
  return moreDocuments.length > 0 || firstHeaderHtml !== null || firstFooterHtml !== null;
}

/** Returns a request for the templates that are printed as layers. Chromium prints the others. */
export function selectLayers(request: PdfRequest): PdfRequest {
  const own = hasOwnHeaders(request) ? {} : { headerHtml: null, footerHtml: null };
  return { ...request, ...own, html: '', css: null };
}
