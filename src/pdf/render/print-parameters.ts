import type { Protocol } from 'devtools-protocol';
import type { PrintTemplates } from '../document/print-templates.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { PIXELS_PER_INCH } from '../request/css-length.ts';
import { DEFAULT_MARGINS, DEFAULT_SHEET } from '../request/page-geometry.ts';

/**
 * Returns the parameters of Page.printToPDF, whose lengths are inches. A landscape sheet is given by its
 * swapped sides: Chromium ignores its own `landscape` as soon as an @page rule has a size.
 */
export function toPrintParameters(
  request: PdfRequest,
  templates: PrintTemplates | null,
): Protocol.Page.PrintToPDFRequest {
  const { width, height } = request.sheet ?? DEFAULT_SHEET;
  const inches = (side: keyof typeof DEFAULT_MARGINS): number =>
    (request.margins[side] ?? DEFAULT_MARGINS[side]) / PIXELS_PER_INCH;
  return {
    paperWidth: width / PIXELS_PER_INCH,
    paperHeight: height / PIXELS_PER_INCH,
    marginTop: inches('top'),
    marginBottom: inches('bottom'),
    marginLeft: inches('left'),
    marginRight: inches('right'),
    scale: request.scale,
    printBackground: request.printBackground,
    preferCSSPageSize: request.sheet === null,
    displayHeaderFooter: templates !== null,
    generateTaggedPDF: request.tagged || request.outline,
    generateDocumentOutline: request.outline,
    transferMode: 'ReturnAsBase64',
    ...templates,
    ...(request.pageRanges === null ? {} : { pageRanges: request.pageRanges }),
  };
}
