import type { PdfDocument, PdfRequest } from '../pdf-request.ts';

/** True if the PDF is composed of several prints: documents, headers of our own, a watermark. */
export function isComposed(request: PdfRequest): boolean {
  return hasOwnHeaders(request) || request.watermark !== null;
}

/** True if Chromium cannot print the header and the footer: they number several documents, or differ. */
export function hasOwnHeaders({ moreDocuments, firstHeaderHtml, firstFooterHtml }: PdfRequest): boolean {
  return moreDocuments.length > 0 || firstHeaderHtml !== null || firstFooterHtml !== null;
}

/** Returns the documents of a request, each as a request of its own. Only the first one is waited for. */
export function listDocuments(request: PdfRequest): PdfRequest[] {
  const plain: PdfRequest = {
    ...request,
    moreDocuments: [],
    firstHeaderHtml: null,
    firstFooterHtml: null,
    watermark: null,
  };
  if (!hasOwnHeaders(request)) return [plain];
  const whole = { ...plain, headerHtml: null, footerHtml: null, pageRanges: null };
  const toRequest = (document: PdfDocument): PdfRequest => ({
    ...whole,
    ...document,
    waitFor: null,
    waitForExpression: null,
  });
  return [whole, ...request.moreDocuments.map(toRequest)];
}
