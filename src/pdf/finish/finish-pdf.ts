import type { PDFDocument } from '@cantoo/pdf-lib';
import { finishAccessible } from '../accessible/finish-accessible.ts';
import { renumberNodes } from '../pdf-file/renumber-nodes.ts';
import { ArchiveFault } from './archive/archive-fault.ts';
import { makeArchive } from './archive/make-archive.ts';
import { embedFiles } from './attachments/embed-files.ts';
import { composePdf } from './compose-pdf.ts';
import { encryptPdf } from './encryption/encrypt-pdf.ts';
import type { FinishedPdf, FinishInput, FinishOptions, FinishWarning } from './finish-input.ts';
import { describeInvoice, toAttachment } from './invoice/invoice-file.ts';
import { setMetadata } from './metadata/set-metadata.ts';
import { savePdf } from './save/save-pdf.ts';
import { setXmp } from './xmp/set-xmp.ts';

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
  const warnings: FinishWarning[] = [];
  const { documents, options } = input;
  const { attachments, invoice, pdfa, now } = options;
  if (now !== null) for (const document of documents) renumberNodes(toBuffer(document));
  const pdf = await composePdf(input);
  const pdfua = options.tagged && completeStructure(pdf, options, warnings);
  setMetadata(pdf, options);
  embedFiles(pdf, invoice ? [...attachments, toAttachment(invoice)] : attachments);
  if (pdfa !== null) for (const text of makeArchive(pdf)) warnings.push({ kind: 'structure', text });
  if (pdfa !== null || pdfua) setXmp(pdf, { pdfua, pdfa, invoice: invoice && describeInvoice(invoice) });
  const encryption = options.encryption === null ? null : encryptPdf(pdf, options.encryption);
  return { pdf: await savePdf(pdf, encryption), warnings, fault: null };
}

/** Completes the structure, and warns of what it lacks. Returns whether the PDF conforms to PDF/UA-1. */
function completeStructure(pdf: PDFDocument, options: FinishOptions, warnings: FinishWarning[]): boolean {
  const faults = finishAccessible(pdf, options);
  for (const fault of faults) warnings.push({ kind: 'structure', text: `Not declared as PDF/UA: ${fault}` });
  return faults.length === 0;
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
