import type { PDFDocument } from '@cantoo/pdf-lib';
import { finishAccessible } from '../accessible/finish-accessible.ts';
import { renumberNodes } from '../pdf-file/renumber-nodes.ts';
import { ArchiveFault } from './archive/list-contents.ts';
import { makeArchive } from './archive/make-archive.ts';
import { embedFiles } from './embed-files.ts';
import { encryptPdf } from './encryption/encrypt-pdf.ts';
import type { FinishInput, FinishOptions, FinishWarning, FinishedPdf } from './finish-input.ts';
import { describeInvoice, toAttachment } from './invoice/invoice-file.ts';
import { setMetadata } from './set-metadata.ts';
import { savePdf } from './save-pdf.ts';
import { setXmp } from './xmp/set-xmp.ts';
import { joinDocuments, keepPages } from './join/join-documents.ts';
import { layLayers } from './lay-layers.ts';
import { dropUnreachable } from './pdf-objects.ts';

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

/** Composes a PDF of printed documents and layers, with the pages that it keeps. */
export async function composePdf({
  documents,
  layers,
  pages,
}: Pick<FinishInput, 'documents' | 'layers' | 'pages'>): Promise<PDFDocument> {
  const pdf = await joinDocuments(documents);
  await layLayers(pdf, layers);
  if (pages !== null) keepPages(pdf, new Set(pages));
  if (documents.length > 1 || layers.length > 0 || pages !== null) dropUnreachable(pdf.context);
  return pdf;
}
