import type { Protocol } from 'devtools-protocol';
import type { Page } from '#browser';
import type { ContentsMarks } from '../contents/contents-marks.ts';
import { formatListLinks, formatShowNumbers, parseLinks } from '../contents/link-scripts.ts';
import type { Numbering } from '../contents/numbering.ts';
import { LIST_STYLES, formatSetStyles, parseStyles } from '../contents/style-scripts.ts';
import { rewriteTargetCounters } from '../contents/target-counters.ts';
import { countPages, findDestinations } from '../pdf-file/scan-pages.ts';
import { type RenderWatch, runPhase } from './render-options.ts';
import type { Warnings } from '../warnings/warnings.ts';

/** The page numbers of a document's links, null if it certainly has none, and what observes its prints. */
export interface PrintOptions {
  numbering: Numbering | null;
  watch?: RenderWatch | undefined;
}

/**
 * Prints the document of a page. If its links show page numbers, prints it again until they are the numbers
 * of the PDF, at most three times. Each print is a phase: the document may wait for others between them.
 */
export async function printPage(
  page: Page,
  parameters: Protocol.Page.PrintToPDFRequest,
  { numbering, watch }: PrintOptions,
): Promise<Buffer> {
  const print = (): Promise<Buffer> =>
    runPhase(watch, 'print', () => page.sendForData('Page.printToPDF', parameters));
  if (numbering === null || !numbering.isNeeded) return print();
  const { marks, wanted, hasOthers } = numbering.options;
  if (marks.hasMarks && !page.isScriptless) await rewriteStyles(page, marks);
  const query = { hasCounters: marks.counterStyles.size > 0, wanted, hasOthers };
  numbering.setLinks(parseLinks(await page.evaluate(formatListLinks(query))));
  if (!numbering.hasLinks && !hasOthers) return print();
  const { pageRanges, ...whole } = parameters;
  const pdf = await printUntilFinal(page, numbering, () =>
    runPhase(watch, 'print', () => printNumbers(page, whole, numbering)),
  );
  return pageRanges === undefined ? pdf : print();
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

/** Prints a document until its numbers are right, or until it may leave its page before they are. */
async function printUntilFinal(
  page: Page,
  numbering: Numbering,
  print: () => Promise<Buffer>,
): Promise<Buffer> {
  for (;;) {
    const pdf = await print();
    if (numbering.isFinal) return pdf;
    if (numbering.isWaiting && !(await numbering.options.waitForOthers(pdf, page))) return pdf;
  }
}

async function printNumbers(
  page: Page,
  parameters: Protocol.Page.PrintToPDFRequest,
  numbering: Numbering,
): Promise<Buffer> {
  if (!numbering.isCurrent()) {
    const next = numbering.formatNumbers();
    await page.evaluate(formatShowNumbers(next.properties, next.texts));
    numbering.setShown(next);
  }
  const pdf = await page.sendForData('Page.printToPDF', parameters);
  numbering.setPages({ count: countPages(pdf) ?? 0, targets: findDestinations(pdf) });
  return pdf;
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
