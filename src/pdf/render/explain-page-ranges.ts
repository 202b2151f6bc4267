import { CdpError, type Page } from '#browser';
import type { PrintTemplates } from '../document/print-templates.ts';
import { countPages } from '../pdf-file/count-pages.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { toPrintParameters } from './print-parameters.ts';
import { createRangeError } from './select-pages.ts';

/**
 * Runs `print` for a document in `page`. If its page_ranges are beyond its end, prints it again without them,
 * and throws invalid_parameter with its number of pages.
 */
export async function explainPageRanges(
  page: Page,
  request: PdfRequest,
  { templates, print }: { templates: PrintTemplates | null; print: () => Promise<Buffer> },
): Promise<Buffer> {
  try {
    return await print();
  } catch (cause) {
    if (!(cause instanceof CdpError) || !/page range/i.test(cause.message)) throw cause;
    const parameters = toPrintParameters({ ...request, pageRanges: null }, templates);
    const pages = countPages(await page.sendForData('Page.printToPDF', parameters));
    if (pages === null) throw cause;
    throw createRangeError(pages, cause);
  }
}
