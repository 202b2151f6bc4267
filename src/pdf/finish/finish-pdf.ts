import { type PDFDict, type PDFDocument, PDFHexString, PDFName } from '@cantoo/pdf-lib';
import { finishAccessible } from '../accessible/finish-accessible.ts';
import { renumberNodes } from '../pdf-file/metadata.ts';
import { makeArchive } from './archive/make-archive.ts';
import { embedFiles } from './embed-files.ts';
import { encryptPdf } from './encrypt-pdf.ts';
import { FinishFault, type FinishInput, type FinishOptions, type FinishedPdf } from './finish-input.ts';
import { toAttachment } from './invoice/invoice-file.ts';
import { joinDocuments, keepPages } from './join/join-documents.ts';
import { layLayers } from './lay-layers.ts';
import { dropUnreachable, getInfo } from './pdf-objects.ts';
import { savePdf } from './save-pdf.ts';
import { setXmp } from './set-xmp.ts';

/**
 * Makes the PDF that a request asks for of the printed documents: joins them, lays headers, footers and the
 * watermark on their pages, completes the structure, sets the metadata, attaches files, makes it PDF/A and
 * encrypts it, in this order.
 */
export async function finishPdf(input: FinishInput): Promise<FinishedPdf> {
  const { attachments, invoice, pdfa, tagged, encryption, now } = input.options;
  // Equal requests have equal identifiers, and each joined document has others.
  let node = 1;
  if (now !== null || input.documents.length > 1)
    for (const document of input.documents) node = renumberNodes(document, node);
  try {
    const pdf = await composePdf(input);
    const faults = tagged ? finishAccessible(pdf, input.options) : [];
    const pdfua = tagged && faults.length === 0;
    setMetadata(pdf, input.options);
    embedFiles(pdf, invoice ? [...attachments, toAttachment(invoice)] : attachments);
    const cuts = pdfa === null ? [] : makeArchive(pdf);
    if (pdfa !== null || pdfua) setXmp(pdf, { pdfua, pdfa, invoice });
    const encrypt = encryption && encryptPdf(pdf, encryption);
    const texts = [...faults.map((fault) => `Not declared as PDF/UA: ${fault}`), ...cuts];
    const warnings = texts.map((text) => ({ kind: 'structure' as const, text }));
    return { pdf: savePdf(pdf, encrypt), warnings, fault: null };
  } catch (error) {
    if (error instanceof FinishFault) return { pdf: new Uint8Array(), warnings: [], fault: error.message };
    throw error;
  }
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

/**
 * Sets the metadata of a request in the information dictionary and the language in the catalog. What the
 * request leaves out stays as Chromium wrote it, and so do the dates, which `overwriteDates` has set.
 */
export function setMetadata(pdf: PDFDocument, options: FinishOptions): void {
  const { title, language, author, subject, keywords } = options;
  const info = getInfo(pdf);
  const setText = (dictionary: PDFDict, key: string, text: string | null): void => {
    if (text !== null) dictionary.set(PDFName.of(key), PDFHexString.fromText(text));
  };
  setText(info, 'Title', title);
  setText(info, 'Author', author);
  setText(info, 'Subject', subject);
  setText(info, 'Keywords', keywords.length === 0 ? null : keywords.join(', '));
  setText(pdf.catalog, 'Lang', language);
  if (title !== null) pdf.catalog.getOrCreateViewerPreferences().setDisplayDocTitle(true);
}
