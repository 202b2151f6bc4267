/** The parts of a PDF that is finished, and what becomes of it: plain data, as it crosses threads. */
import type { WarningKind } from '../warnings/warnings.ts';
import type { Finishing } from './finishing.ts';
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
export interface FinishOptions extends Finishing {
  tagged: boolean;
  outline: boolean;
  /** Null: as in the first document. */
  title: string | null;
  language: string | null;
  /** The title of a PDF that needs one, if neither the request nor the document has one. */
  fallbackTitle: string;
  /** The time that the PDF names, in milliseconds since 1970. Null: the time at which it was printed. */
  now: number | null;
}

/** The parts of a PDF that is finished: plain data, as it crosses threads. */
export interface FinishInput {
  /** The documents in their order, as Chromium printed them. */
  documents: readonly Uint8Array[];
  layers: readonly Layer[];
  /** The indexes of the pages that are kept, ascending. Null: all of them. */
  pages: readonly number[] | null;
  options: FinishOptions;
}

/** A warning of what a finished PDF lacks. */
export interface FinishWarning {
  kind: WarningKind;
  text: string;
}

export interface FinishedPdf {
  pdf: Uint8Array;
  warnings: readonly FinishWarning[];
  /** A sentence for the client: the PDF cannot be what it asks for. Null: it is. */
  fault: string | null;
}

/** Returns what finishing needs of a request: its documents and data do not cross threads once more. */
export function toFinishOptions(request: PdfRequest): FinishOptions {
  const { author, subject, keywords, attachments, encryption, pdfa, invoice } = request;
  const { tagged, outline, title, language, filename, now } = request;
  return {
    author,
    subject,
    keywords,
    attachments,
    encryption,
    pdfa,
    invoice,
    tagged,
    outline,
    title,
    language,
    fallbackTitle: filename.replace(/\.pdf$/i, ''),
    now,
  };
}
