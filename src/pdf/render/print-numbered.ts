import type { Protocol } from 'devtools-protocol';
import type { Page } from '#browser';
import { formatListLinks, formatShowNumbers, parseLinks } from '../contents/link-scripts.ts';
import type { Numbering } from '../contents/numbering.ts';
import { countPages } from '../pdf-file/count-pages.ts';
import { findDestinations } from '../pdf-file/destinations.ts';

/** A number with more digits may move what follows, and so change numbers. */
const MAX_PRINTS = 3;

/**
 * Prints the document of a page. If its links show page numbers, prints it again until they are those of the
 * PDF, at most three times.
 */
export async function printPage(
  page: Page,
  parameters: Protocol.Page.PrintToPDFRequest,
  numbering: Numbering | null,
): Promise<Buffer> {
  if (numbering === null || !numbering.isNeeded) return page.sendForData('Page.printToPDF', parameters);
  const { marks, wanted, hasOthers } = numbering.options;
  const query = { hasCounters: marks.counterStyles.size > 0, wanted, hasOthers };
  numbering.setLinks(parseLinks(await page.evaluate(formatListLinks(query))));
  if (numbering.isCurrent() && !hasOthers) return page.sendForData('Page.printToPDF', parameters);
  const { pageRanges, ...whole } = parameters;
  const pdf = await printUntilCurrent(page, whole, numbering);
  return pageRanges === undefined ? pdf : page.sendForData('Page.printToPDF', parameters);
}

async function printUntilCurrent(
  page: Page,
  parameters: Protocol.Page.PrintToPDFRequest,
  numbering: Numbering,
): Promise<Buffer> {
  for (let prints = 1; ; prints += 1) {
    if (!numbering.isCurrent() || prints === 1) await showNumbers(page, numbering);
    const pdf = await page.sendForData('Page.printToPDF', parameters);
    numbering.setPages({ count: countPages(pdf) ?? 0, targets: findDestinations(pdf) });
    if (prints >= MAX_PRINTS || numbering.isWaiting || numbering.isCurrent()) return pdf;
  }
}

async function showNumbers(page: Page, numbering: Numbering): Promise<void> {
  const { properties, texts } = numbering.update();
  if (texts.size > 0) await page.evaluate(formatShowNumbers(properties, texts));
}
