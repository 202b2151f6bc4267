import type { WarningKind } from '../warnings/warnings.ts';
import { ArchiveFault } from './archive/archive-fault.ts';
import { makeArchive } from './archive/make-archive.ts';
import { embedFiles } from './attachments/embed-files.ts';
import { composePdf } from './compose-pdf.ts';
import { encryptPdf } from './encryption/encrypt-pdf.ts';
import type { Finishing } from './finishing.ts';
import { describeInvoice, toAttachment } from './invoice/invoice-file.ts';
import { setMetadata } from './metadata/set-metadata.ts';
import { savePdf } from './save/save-pdf.ts';
import { setXmp } from './xmp/set-xmp.ts';

/** Pages that are laid behind or over those of the PDF: headers and footers, a watermark. */
export interface Layer {
  /** As Chromium printed it. */
  pdf: Uint8Array;
  kind: 'header' | 'footer' | 'watermark';
  position: 'behind' | 'over';
  /** For each page of the whole PDF, the index of the layer's page that it gets; null for none. */
  pages: readonly (number | null)[];
}

/** The options of finishing a PDF. */
export interface FinishOptions extends Finishing {
  tagged: boolean;
  outline: boolean;
  /** Null: those of the first document. */
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

export interface FinishedPdf {
  pdf: Uint8Array;
  warnings: readonly { kind: WarningKind; text: string }[];
  /** A sentence for the client: the PDF cannot be what it asks for. Null: it is. */
  fault: string | null;
}

/**
 * Makes the PDF that a request asks for of the printed documents: joins them, lays headers, footers and the
 * watermark on their pages, completes the structure, sets the metadata, attaches files, makes it PDF/A and
 * encrypts it, in this order.
 */
export async function finishPdf(input: FinishInput): Promise<FinishedPdf> {
  try {
    return await finish(input);
  } catch (error) {
    if (error instanceof ArchiveFault) return { pdf: new Uint8Array(), warnings: [], fault: error.message };
    throw error;
  }
}

async function finish(input: FinishInput): Promise<FinishedPdf> {
  const warnings: { kind: WarningKind; text: string }[] = [];
  const { options } = input;
  const { attachments, invoice, pdfa } = options;
  const pdf = await composePdf(input);
  setMetadata(pdf, options);
  embedFiles(pdf, invoice ? [...attachments, toAttachment(invoice)] : attachments);
  if (pdfa !== null) {
    for (const text of makeArchive(pdf)) warnings.push({ kind: 'structure', text });
    setXmp(pdf, { pdfua: false, pdfa, invoice: invoice && describeInvoice(invoice) });
  }
  const encryption = options.encryption === null ? null : encryptPdf(pdf, options.encryption);
  return { pdf: await savePdf(pdf, encryption), warnings, fault: null };
}
