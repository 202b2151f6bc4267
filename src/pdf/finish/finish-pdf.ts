import { ArchiveFault } from './archive/archive-fault.ts';
import { makeArchive } from './archive/make-archive.ts';
import { embedFiles } from './attachments/embed-files.ts';
import { composePdf } from './compose-pdf.ts';
import { encryptPdf } from './encryption/encrypt-pdf.ts';
import type { FinishedPdf, FinishInput } from './finish-input.ts';
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
  const warnings: FinishedPdf['warnings'][number][] = [];
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
