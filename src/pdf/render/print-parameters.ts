import type { Protocol } from 'devtools-protocol';
import type { PrintTemplates } from '../document/print-template.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { DEFAULT_MARGINS, sheetOf } from '../request/page-geometry.ts';

const PIXELS_PER_INCH = 96;

/**
 * The parameters of Page.printToPDF, whose lengths are inches. The sheet is always held upright here: a landscape one has its sides
 * swapped, because Chromium's own flag is ignored as soon as an @page rule names a size.
 */
export function printParameters(
  request: PdfRequest,
  templates: PrintTemplates | null,
): Protocol.Page.PrintToPDFRequest {
  const sheet = sheetOf(request.pageSize ?? 'A4', request.orientation ?? 'portrait');
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
