/** The parts of a PDF that is finished, and what becomes of it: plain data, as it crosses threads. */
import type { WarningKind } from '../warnings/warnings.ts';
import type { PdfRequest } from '../pdf-request.ts';

/** Pages that are laid behind or over the pages of the PDF: headers and footers, a watermark. */
export interface Layer {
  /** As Chromium printed it. */
  pdf: Uint8Array;
  kind: 'header' | 'footer' | 'watermark';
  position: 'behind' | 'over';
  /** The pages of the whole PDF that get a page of the layer, and which: their indexes. */
  pages: ReadonlyMap<number, number>;
}

/** The options of finishing a PDF. */
export type FinishOptions = Omit<PdfRequest, 'html' | 'moreDocuments' | 'template'>;

export interface FinishInput {
  /** The documents in their order, as Chromium printed them. */
  documents: readonly Uint8Array[];
  layers: readonly Layer[];
  /** The indexes of the pages that are kept, ascending. Null: all of them. */
  pages: readonly number[] | null;
  options: FinishOptions;
}

export interface FinishedPdf {
  pdf: Uint8Array;
  warnings: readonly { kind: WarningKind; text: string }[];
  /** A sentence for the client: the PDF cannot be what it asks for. Null: it is. */
  fault: string | null;
}

/** The reason why a PDF cannot be what its request asks for: the `fault` of a finished PDF. */
export class FinishFault extends Error {
  override name = 'FinishFault';
}

/** Returns a request without its documents and data, which do not cross threads once more. */
export function toFinishOptions(request: PdfRequest): FinishOptions {
  return { ...request, html: '', moreDocuments: [], template: null } as FinishOptions;
}
