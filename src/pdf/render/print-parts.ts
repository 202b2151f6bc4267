import type { BrowserKeeper } from '#browser';
import { workInTurn } from '#concurrency';
import type { PdfRequest } from '../pdf-request.ts';
import { checkPdfSize, type PdfSizeLimit } from './off-thread.ts';
import { createPlaces } from './document-places.ts';
import { DocumentPrint } from './document-print.ts';
import { WaitingPages } from './page-wait.ts';
import type { CheckedPdf } from './print-work.ts';
import type { PartOptions } from './render-options.ts';
import { warnOfNumbers } from './print-numbered.ts';

/**
 * Prints the documents of a PDF one after the other, and again those whose links show the numbers of pages
 * that changed, each at most three times. Throws ApiError, whose message names the document, and the signal's
 * reason.
 */
export async function printParts(
  keeper: BrowserKeeper,
  documents: readonly PdfRequest[],
  { signal, ...options }: PartOptions & { whole: PdfRequest },
): Promise<CheckedPdf[]> {
  const failed = new AbortController();
  const places = await createPlaces(documents);
  const printOptions = {
    ...options,
    keeper,
    waitingPages: new WaitingPages(),
    signal: AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]),
  };
  const parts = documents.flatMap((request, index) => {
    const place = places[index];
    return place ? new DocumentPrint(request, place, printOptions) : [];
  });
  try {
    await printUntilCurrent(parts, options);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(parts.map((part) => part.leave()));
    throw error;
  }
  for (const { printed, numbering } of parts)
    if (printed && numbering) await workInTurn(() => warnOfNumbers(numbering, printed.warnings));
  return parts.flatMap(({ printed }) => printed ?? []);
}

/** Prints documents in rounds, until all numbers are right or no document may be printed again. */
async function printUntilCurrent(parts: readonly DocumentPrint[], limit: PdfSizeLimit): Promise<void> {
  for (let hasPrinted = true; hasPrinted;) {
    hasPrinted = false;
    for (const part of parts) {
      // Each looks up thousands of numbers, and a document before it may have made them right.
      if (!(await workInTurn(() => part.isStale))) continue;
      hasPrinted = true;
      await part.print();
      const bytes = parts.reduce((sum, one) => sum + one.bytes, 0);
      checkPdfSize(bytes, limit);
      for (const one of parts) if (await workInTurn(() => one.isDone)) await one.settle();
    }
  }
  for (const part of parts) await part.leave();
}
