import type { PDFDocument } from '@cantoo/pdf-lib';
import type { FinishInput } from './finish-input.ts';
import { joinDocuments } from './join/join-documents.ts';
import { selectPages } from './join/select-pages.ts';
import { layLayers } from './layers/lay-layers.ts';
import { dropUnreachable } from './objects/drop-unreachable.ts';

/** Composes a PDF of printed documents and layers, with the pages that it keeps. */
export async function composePdf({
  documents,
  layers,
  pages,
}: Pick<FinishInput, 'documents' | 'layers' | 'pages'>): Promise<PDFDocument> {
  const pdf = await joinDocuments(documents);
  await layLayers(pdf, layers);
  if (pages !== null) selectPages(pdf, new Set(pages));
  if (documents.length > 1 || layers.length > 0 || pages !== null) dropUnreachable(pdf.context);
  return pdf;
}
