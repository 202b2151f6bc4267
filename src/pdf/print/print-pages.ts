import { CdpError, type Page } from '#browser';
import type { Protocol } from 'devtools-protocol';
import type { ContentsMarks } from '../contents/contents-marks.ts';
import { formatListLinks, formatShowNumbers, parseLinks } from '../contents/link-scripts.ts';
import type { Numbering } from '../contents/numbering.ts';
import { LIST_STYLES, formatSetStyles, parseStyles } from '../contents/style-scripts.ts';
import { rewriteTargetCounters } from '../contents/target-counters.ts';
import type { PrintTemplates } from '../load/print-templates.ts';
import { countPages, findDestinations } from '../pdf-file/scan-pages.ts';
import { type PdfJob, runPhase } from '../pdf-job.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { DEFAULT_SHEET, PIXELS_PER_INCH } from '../page-geometry.ts';
import { DEFAULT_MARGINS } from '../request/sheet-members.ts';
import type { Warnings } from '../warnings/warnings.ts';
import { createRangeError } from './page-ranges.ts';

/** The options of a document, with the header and footer that Chromium prints. */
export interface PrintSource {
  request: PdfRequest;
  templates: PrintTemplates | null;
}

type PrintJob = Pick<PdfJob, 'watch' | 'deadline'> & { numbering: Numbering | null };

/**
 * Prints the document of a page. If its links show page numbers, prints it again until they are the numbers
 * of the PDF, at most three times: a print shows on which pages the targets are. If page_ranges are beyond
 * its end, throws invalid_parameter with its number of pages.
 */
export async function printPages(page: Page, source: PrintSource, job: PrintJob): Promise<Buffer> {
  const parameters = toPrintParameters(source.request, source.templates);
  try {
    return await printNumbered(page, parameters, job);
  } catch (cause) {
    if (!(cause instanceof CdpError) || !/page range/i.test(cause.message)) throw cause;
    const { pageRanges: _, ...whole } = parameters;
    const pages = countPages(await page.sendForData('Page.printToPDF', whole));
    throw pages === null ? cause : createRangeError(pages, cause);
  }
}

async function printNumbered(
  page: Page,
  parameters: Protocol.Page.PrintToPDFRequest,
  job: PrintJob,
): Promise<Buffer> {
  const { numbering } = job;
  const print = (printed: Protocol.Page.PrintToPDFRequest): Promise<Buffer> =>
    runPhase(job, 'print', () => page.sendForData('Page.printToPDF', printed));
  if (numbering === null || !numbering.isNeeded) return print(parameters);
  const { marks, wanted, pages } = numbering.options;
  if (marks.hasMarks && !page.isScriptless) await rewriteStyles(page, marks);
  const query = { hasCounters: marks.counterStyles.size > 0, wanted, hasOthers: pages.hasOthers };
  numbering.setLinks(parseLinks(await page.evaluate(formatListLinks(query))));
  if (!numbering.hasLinks && !pages.hasOthers) return print(parameters);
  const { pageRanges, ...whole } = parameters;
  for (;;) {
    await showNumbers(page, numbering);
    const pdf = await print(whole);
    numbering.setPages({ count: countPages(pdf) ?? 0, targets: findDestinations(pdf) });
    if (numbering.isStale && !numbering.isWaiting) continue;
    return pageRanges === undefined ? pdf : print(parameters);
  }
}

/** Rewrites target-counter() in the style elements that scripts have made. */
async function rewriteStyles(page: Page, marks: ContentsMarks): Promise<void> {
  const texts = parseStyles(await page.evaluate(LIST_STYLES));
  if (texts.length === 0) return;
  const styles = new Set<string>();
  const rewritten = texts.map((text) => rewriteTargetCounters(text, styles));
  marks.addCounterStyles(styles);
  await page.evaluate(formatSetStyles(rewritten));
}

async function showNumbers(page: Page, numbering: Numbering): Promise<void> {
  if (numbering.isCurrent()) return;
  const next = numbering.formatNumbers();
  await page.evaluate(formatShowNumbers(next.properties, next.texts));
  numbering.setShown(next);
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
function toPrintParameters(
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
