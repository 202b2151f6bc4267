import { ApiError } from '#errors';
import { renderPage, type BrowserKeeper } from '#browser';
import { findLinkedNames } from '../contents/linked-names.ts';
import type { Numbering, NumberingPlace } from '../contents/numbering.ts';
import { PageMap } from '../contents/page-map.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { loadTexts, type LoadedTexts } from './load-texts.ts';
import { createNumbering, createPrintWork, type CheckedPdf } from './print-work.ts';
import { RenderFetchers } from './render-fetchers.ts';
import type { PartOptions } from './render-options.ts';
import { toApiError } from './to-api-error.ts';
import { warnOfNumbers } from './warn-of-numbers.ts';

/** A table of contents that gets a page more moves all that follows. */
const MAX_ROUNDS = 3;
/** As much as one document may have. */
const MAX_PDF_BYTES = 192 * 1024 * 1024;

/** A document of a PDF. */
interface Part {
  request: PdfRequest;
  place: NumberingPlace;
  printed: CheckedPdf | null;
  /** Null before it is loaded, and if its links have no numbers. */
  numbering: Numbering | null;
  /** The texts of a document that may have to be printed again. */
  loaded: LoadedTexts | null;
}

/** Names the document that a message is about, if there are several. */
type NameDocument = (index: number, message: string) => string;

/**
 * Prints the documents of a PDF one after the other, and again those whose links show the numbers of pages
 * that changed. Throws ApiError, whose message names the document, and the signal's reason.
 */
export async function printParts(
  keeper: BrowserKeeper,
  documents: readonly PdfRequest[],
  options: PartOptions & { whole: PdfRequest },
): Promise<CheckedPdf[]> {
  const parts = createParts(documents);
  const nameDocument: NameDocument = (index, message) =>
    parts.length === 1 ? message : `Document ${index + 1}: ${message}`;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const stale = parts.filter(
      ({ printed, numbering }) => printed === null || numbering?.isCurrent() === false,
    );
    for (const part of stale) {
      await printPart(keeper, part, { ...options, isLast: round > 1 || part === parts.at(-1), nameDocument });
      checkSize(parts);
    }
    for (const { numbering } of parts) if (numbering) numbering.awaitsOthers = false;
  }
  for (const { printed, numbering } of parts)
    if (printed && numbering) warnOfNumbers(numbering, printed.warnings);
  return parts.flatMap(({ printed }) => printed ?? []);
}

function createParts(documents: readonly PdfRequest[]): Part[] {
  const pages = new PageMap();
  const hasOthers = documents.length > 1;
  const linked = documents.map(({ html }) => (hasOthers ? findLinkedNames(html) : new Set<string>()));
  return documents.map((request, index) => {
    const wanted = new Set(linked.flatMap((names, at) => (at === index ? [] : [...names])));
    const place = { pages, index, wanted: [...wanted], hasOthers };
    return { request, place, printed: null, numbering: null, loaded: null };
  });
}

/** Prints a document. `isLast`: all other documents have been printed. */
async function printPart(
  keeper: BrowserKeeper,
  part: Part,
  {
    isLast,
    nameDocument,
    whole,
    ...options
  }: PartOptions & { whole: PdfRequest; isLast: boolean; nameDocument: NameDocument },
): Promise<void> {
  const { request, place } = part;
  const fetchers = new RenderFetchers(options.openResourceFetcher, options.accountId);
  try {
    const loaded = part.loaded ?? (await loadTexts(request, fetchers, options));
    const numbering = part.numbering ?? createNumbering(loaded, place);
    if (numbering) numbering.awaitsOthers = !isLast;
    const work = createPrintWork(request, loaded, { ...options, fetchers, numbering }, (printed) =>
      Promise.resolve(printed),
    );
    part.printed = await renderPage(keeper, work, { ...options, remainingMs: options.getRemainingMs() });
    part.numbering = numbering;
    part.loaded = numbering?.hasLinks === true ? loaded : null;
  } catch (thrown) {
    const error = toApiError(thrown, whole, options);
    // What passes by itself is no fault of the document, such as a place that another account needs.
    if (!(error instanceof ApiError) || error.retryAfterSeconds !== undefined) throw error;
    const { code, message, param, cause } = error;
    throw new ApiError(code, nameDocument(place.index, message), {
      ...(param !== undefined && { param }),
      cause,
    });
  } finally {
    fetchers.close();
  }
}

function checkSize(parts: readonly Part[]): void {
  const bytes = parts.reduce((sum, { printed }) => sum + (printed?.pdf.length ?? 0), 0);
  if (bytes > MAX_PDF_BYTES)
    throw new ApiError(
      'render_failed',
      'The PDF would be larger than 192 MiB: make the documents, or their images, smaller.',
    );
}
