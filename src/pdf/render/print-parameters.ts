import type { Protocol } from 'devtools-protocol';
import type { PrintTemplates } from '../document/print-templates.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { DEFAULT_MARGINS, getSheet } from '../request/page-geometry.ts';

const PIXELS_PER_INCH = 96;

/**
 * Returns the parameters of Page.printToPDF, whose lengths are inches. A landscape sheet is given by its
 * swapped sides: Chromium ignores its own `landscape` as soon as an @page rule has a size.
 */
export function toPrintParameters(
  request: PdfRequest,
  templates: PrintTemplates | null,
): Protocol.Page.PrintToPDFRequest {
  const sheet = getSheet(request.pageSize ?? 'A4', request.orientation ?? 'portrait');
  const inches = (side: keyof typeof DEFAULT_MARGINS): number =>
    (request.margins[side] ?? DEFAULT_MARGINS[side]) / PIXELS_PER_INCH;
  return {
    paperWidth: sheet.width / PIXELS_PER_INCH,
    paperHeight: sheet.height / PIXELS_PER_INCH,
    marginTop: inches('top'),
    marginBottom: inches('bottom'),
    marginLeft: inches('left'),
    marginRight: inches('right'),
    scale: request.scale,
    printBackground: request.printBackground,
    preferCSSPageSize: request.pageSize === null && request.orientation === null,
    displayHeaderFooter: templates !== null,
    generateTaggedPDF: request.tagged || request.outline,
    generateDocumentOutline: request.outline,
    transferMode: 'ReturnAsBase64',
    ...templates,
    ...(request.pageRanges === null ? {} : { pageRanges: request.pageRanges }),
  };
}
