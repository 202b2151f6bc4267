import type { BrowserKeeper } from '#browser';
import type { PdfRequest } from '../pdf-request.ts';
import { checkPdfSize, type PdfSizeLimit } from './check-pdf-size.ts';
import { createPlaces } from './document-places.ts';
import { DocumentPrint } from './document-print.ts';
import { WaitingPages } from './page-wait.ts';
import type { CheckedPdf } from './print-work.ts';
import type { PartOptions } from './render-options.ts';
import { warnOfNumbers } from './warn-of-numbers.ts';

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
  const places = createPlaces(documents);
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
    if (printed && numbering) warnOfNumbers(numbering, printed.warnings);
  return parts.flatMap(({ printed }) => printed ?? []);
}

/** Prints documents in rounds, until all numbers are right or no document may be printed again. */
async function printUntilCurrent(parts: readonly DocumentPrint[], limit: PdfSizeLimit): Promise<void> {
  while (parts.some((part) => part.isStale)) {
    for (const part of parts) {
      // A document before it may have made its numbers right.
      if (!part.isStale) continue;
      await part.print();
      checkPdfSize(
        parts.reduce((sum, { bytes }) => sum + bytes, 0),
        limit,
      );
      for (const one of parts) await one.leaveIfFinal();
    }
  }
  for (const part of parts) await part.leave();
}
