import { workInTurn } from '#concurrency';
import { ApiError } from '#errors';
import { findLinkedNames, LINK_CLASS } from '../contents/link-scripts.ts';
import { Numbering } from '../contents/numbering.ts';
import { PageMap } from '../contents/page-map.ts';
import type { PdfJob } from '../pdf-job.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { loadTexts, type LoadedTexts } from '../load/load-texts.ts';
import { checkPdfSize } from '../worker/off-thread.ts';
import { toApiError } from '../to-api-error.ts';
import { printDocument, type PrintedDocument } from './print-document.ts';
import { warnOfNumbers } from './print-pages.ts';

/** A document of a PDF, over all of its prints. */
interface Part {
  request: PdfRequest;
  index: number;
  /** Its texts and resources; null before the first print, and when it will not be printed again. */
  loaded: LoadedTexts | null;
  /** Null if its links certainly show no numbers. */
  numbering: Numbering | null;
  printed: PrintedDocument | null;
}

/**
 * Prints the documents of a PDF one after the other. Those whose links show the numbers of pages that have
 * changed are rendered and printed again, in rounds, each at most three times. Throws ApiError, whose message
 * names the document, and the signal's reason.
 */
export async function printDocuments(
  documents: readonly PdfRequest[],
  job: PdfJob & { whole: PdfRequest },
): Promise<PrintedDocument[]> {
  const pages = new PageMap(documents.length);
  const wanted = documents.length > 1 ? await listLinkedNames(documents) : [];
  const parts = documents.map((request, index): Part => {
    return { request, index, loaded: null, numbering: null, printed: null };
  });
  try {
    for (let hasPrinted = true; hasPrinted;) {
      hasPrinted = false;
      for (const part of parts) {
        const { printed: before, numbering } = part;
        // A document before it may have made its thousands of numbers right.
        const isStale = numbering !== null && before !== null && (await workInTurn(() => numbering.isStale));
        if (before !== null && !isStale) continue;
        hasPrinted = true;
        await printPart(part, { pages, wanted }, job);
        const bytes = parts.reduce((sum, { printed }) => sum + (printed?.pdf.length ?? 0), 0);
        checkPdfSize(bytes, job);
      }
    }
  } finally {
    parts.forEach(release);
  }
  for (const { printed, numbering } of parts)
    if (printed && numbering?.hasLinks === true)
      await workInTurn(() => warnOfNumbers(numbering, printed.warnings));
  return parts.flatMap(({ printed }) => printed ?? []);
}

/** Loads a document, unless its texts are loaded, and prints it. */
async function printPart(
  part: Part,
  place: { pages: PageMap; wanted: readonly string[] },
  job: PdfJob & { whole: PdfRequest },
): Promise<void> {
  const { request, index } = part;
  try {
    part.loaded ??= await loadTexts(request, job);
    const isStatic = part.loaded.document !== null;
    job.progress.lane = isStatic && job.progress.lane !== 'warm' ? 'static' : 'warm';
    if (mayShowNumbers(part.loaded, place.pages)) part.numbering ??= new Numbering({ ...place, index });
    part.printed = await printDocument(request, part.loaded, { ...job, numbering: part.numbering });
  } catch (thrown) {
    throw nameDocument(toApiError(thrown, job.whole, job), part, job.whole);
  } finally {
    // Its texts and its fetchers are kept only if it may be printed again.
    if (part.numbering?.isFinal !== false) release(part);
  }
}

/** Only a document of the warm lane may get links and styles that its texts do not have. */
function mayShowNumbers({ document, prepared, marks }: LoadedTexts, { hasOthers }: PageMap): boolean {
  return document === null || marks.hasCounters || hasOthers || prepared.html.includes(LINK_CLASS);
}

function release(part: Part): void {
  part.loaded?.fetchers.close();
  part.loaded = null;
}

/** Returns the error of a request, whose message names the document if there are several. */
function nameDocument(error: unknown, { index }: Part, { moreDocuments }: PdfRequest): unknown {
  // What passes by itself is no fault of the document, such as a place that another account needs.
  const isOwn = error instanceof ApiError && error.retryAfterSeconds === undefined;
  if (!isOwn || moreDocuments.length === 0) return error;
  const { code, message, param, cause } = error;
  return new ApiError(code, `Document ${index + 1}: ${message}`, {
    ...(param !== undefined && { param }),
    cause,
  });
}

/** Returns the names that documents of the PDF link to, each once. */
async function listLinkedNames(documents: readonly PdfRequest[]): Promise<string[]> {
  const names = new Set<string>();
  for (const { html } of documents)
    for (const name of await workInTurn(() => findLinkedNames(html))) names.add(name);
  return [...names];
}
