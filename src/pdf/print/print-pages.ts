import { ApiError } from '#errors';
import { CdpError, type Page } from '#browser';
import type { Protocol } from 'devtools-protocol';
import { formatListLinks, formatShowNumbers, parseLinks } from '../contents/link-scripts.ts';
import type { Numbering } from '../contents/numbering.ts';
import { type Templates, toPrintTemplates } from '../load/print-templates.ts';
import { countPages } from '../pdf-file/object-table.ts';
import { PrintedPages } from '../pdf-file/printed-pages.ts';
import { type PdfJob, runPhase } from '../pdf-job.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { DEFAULT_SHEET, PIXELS_PER_INCH } from '../page-geometry.ts';
import { completeMargins } from '../request/document-members.ts';
import type { Warnings } from '../warnings/warnings.ts';

/** The options of a document, with the header and footer that Chromium prints. */
interface PrintSource {
  request: PdfRequest;
  templates: Templates;
  /** CSS may show the page number of any link. */
  hasCounters: boolean;
}

/** `numbering`: null if the links of the document certainly show no page numbers. */
type PrintJob = Pick<PdfJob, 'watch' | 'deadline'> & { numbering: Numbering | null };

/**
 * Prints the document of a page. If its links show page numbers, prints it again until they are the numbers
 * of the PDF, at most three times: a print shows on which pages the targets are. If page_ranges are beyond
 * its end, throws invalid_parameter with its number of pages.
 */
export async function printPages(page: Page, source: PrintSource, job: PrintJob): Promise<Buffer> {
  const parameters = toPrintParameters(source);
  const { pageRanges, ...whole } = parameters;
  const { numbering } = job;
  const print = (printed: Protocol.Page.PrintToPDFRequest): Promise<Buffer> =>
    runPhase(job, 'print', () => page.sendForData('Page.printToPDF', printed));
  try {
    if (numbering === null || !(await findLinks(page, numbering, source))) return await print(parameters);
    for (;;) {
      if (!numbering.isCurrent()) await page.evaluate(formatShowNumbers(numbering.takeNumbers()));
      const pdf = await print(whole);
      numbering.setPages(new PrintedPages(pdf));
      if (numbering.isStale && !numbering.isWaiting) continue;
      return pageRanges === undefined ? pdf : await print(parameters);
    }
  } catch (cause) {
    if (!(cause instanceof CdpError) || !/page range/i.test(cause.message)) throw cause;
    const pages = countPages(await page.sendForData('Page.printToPDF', whole));
    throw pages === null ? cause : createRangeError(pages, cause);
  }
}

/** Lists the links of the document. Returns false if neither it nor another document needs its pages. */
async function findLinks(page: Page, numbering: Numbering, source: PrintSource): Promise<boolean> {
  const { wanted, pages } = numbering.place;
  const query = { hasCounters: source.hasCounters, wanted, hasOthers: pages.hasOthers };
  numbering.setLinks(parseLinks(await page.evaluate(formatListLinks(query))));
  return numbering.hasLinks || pages.hasOthers;
}

const UNSTABLE =
  'The page numbers of links change the pages that they name: some of them are wrong. Give them a fixed width.';

/** Warns of links that should show a page number, and show none or a wrong one. */
export function warnOfNumbers(numbering: Numbering, warnings: Warnings): void {
  for (const name of numbering.missing)
    // Ends in a period, at which the client splits the warnings of a response.
    warnings.add('layout', `A link shows no page number, as its target is on no page: #${name}.`);
  if (!numbering.isCurrent()) warnings.add('layout', UNSTABLE);
}

/**
 * Returns the parameters of Page.printToPDF, whose lengths are inches. A landscape sheet is given by its
 * swapped sides: Chromium ignores its own `landscape` as soon as an @page rule has a size.
 */
function toPrintParameters({ request, templates }: PrintSource): Protocol.Page.PrintToPDFRequest {
  const { width, height } = request.sheet ?? DEFAULT_SHEET;
  const margins = completeMargins(request.margins);
  const hasTemplates = templates.header !== undefined || templates.footer !== undefined;
  return {
    paperWidth: width / PIXELS_PER_INCH,
    paperHeight: height / PIXELS_PER_INCH,
    marginTop: margins.top / PIXELS_PER_INCH,
    marginBottom: margins.bottom / PIXELS_PER_INCH,
    marginLeft: margins.left / PIXELS_PER_INCH,
    marginRight: margins.right / PIXELS_PER_INCH,
    scale: request.scale,
    printBackground: request.printBackground,
    preferCSSPageSize: request.sheet === null,
    displayHeaderFooter: hasTemplates,
    generateTaggedPDF: request.tagged || request.outline,
    generateDocumentOutline: request.outline,
    transferMode: 'ReturnAsBase64',
    ...(hasTemplates && toPrintTemplates(templates, margins)),
    ...(request.pageRanges !== null && { pageRanges: request.pageRanges }),
  };
}

/**
 * Returns the indexes of the pages that page_ranges select, in their order. Ranges may end after the last
 * page. Throws invalid_parameter if they select none.
 */
export function resolvePageRanges(pageRanges: string, count: number): number[] {
  const selected = new Set<number>();
  for (const range of pageRanges.split(',')) {
    const [first = '', last = first] = range.split('-');
    const end = Math.min(count, last === '' ? count : Number(last));
    for (let page = Number(first); page <= end; page += 1) selected.add(page - 1);
  }
  if (selected.size === 0) throw createRangeError(count);
  return [...selected].sort((one, other) => one - other);
}

/** Creates the error of page_ranges beyond the end. */
function createRangeError(pages: number, cause?: unknown): ApiError {
  const count = pages === 1 ? 'one page' : `${pages} pages`;
  return new ApiError(
    'invalid_parameter',
    `page_ranges asks for pages that the document does not have: it has ${count}.`,
    { param: 'page_ranges', cause },
  );
}
