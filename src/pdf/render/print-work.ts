import { ApiError } from '#errors';
import type { PageWork } from '#browser';
import { ContentsMarks } from '../contents/contents-marks.ts';
import { Numbering, type NumberingPlace } from '../contents/numbering.ts';
import { countPages } from '../pdf-file/scan-pages.ts';
import { hasGiantPage } from '../pdf-file/page-heads.ts';
import { overwriteDates } from '../pdf-file/update-metadata.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { CLIPPED, isClipped } from '../warnings/warnings.ts';
import { computeResourceDeadlineMs } from './deadline.ts';
import type { LoadedTexts } from './load-texts.ts';
import { printFresh, printStatic, type PrintedDocument } from './print-document.ts';
import type { GeneratedPdf, RenderOptions } from './render-options.ts';
import type { RenderFetchers } from './inline-document.ts';

/** A document that was printed, and checked. */
export interface CheckedPdf extends PrintedDocument {
  pages: number;
  lane: GeneratedPdf['lane'];
}

export type WorkOptions = RenderOptions & {
  fetchers: RenderFetchers;
  numbering: Numbering | null;
};

/**
 * Creates the page numbers of a document's links. Null if it has none: only a fresh document may get links
 * while it loads.
 */
export function createNumbering(
  { prepared: { contents }, inlined: { document } }: LoadedTexts,
  place: NumberingPlace,
): Numbering | null {
  const counterStyles = document?.counterStyles ?? [];
  const isCertain = document !== null && !contents.hasMarks && counterStyles.length === 0;
  if (isCertain && !place.hasOthers) return null;
  const marks = new ContentsMarks(contents);
  marks.addCounterStyles(counterStyles);
  return new Numbering({ ...place, marks });
}

/**
 * Creates the work of a page: in one that its key may have used before, if the document is static. `complete`
 * makes the result of the PDF.
 */
export function createPrintWork<Result>(
  request: PdfRequest,
  { prepared, inlined: { document, reuseFetched, templates } }: LoadedTexts,
  { fetchers, numbering, ...options }: WorkOptions,
  complete: (printed: CheckedPdf, remainingMs: number) => Promise<Result>,
): PageWork<PrintedDocument, Result> {
  const { glyphs, heights, keyId, now, watch, trace = (_name, run) => run() } = options;
  let attempts = 0;
  const common = { request, prepared, templates, glyphs, heights, keyId, numbering, watch };
  return {
    reuse: document && {
      ownerId: toOwner(keyId, document.hanLanguage, templates.hanLanguage),
      documentBytes: request.htmlBytes,
      leavesState: document.leavesState || templates.leavesState,
    },
    render(page, remainingMs) {
      if (document !== null) return trace('print', () => printStatic(page, document, common));
      const timeoutMs = computeResourceDeadlineMs(remainingMs);
      attempts += 1;
      const reused = reuseFetched(attempts === 1 ? fetchers.share(timeoutMs) : fetchers.open(timeoutMs));
      const fetchResource = numbering?.options.marks.watch(reused, prepared) ?? reused;
      return trace('print', () => printFresh(page, { fetchResource, timeoutMs, now }, common));
    },
    async finish({ pdf, warnings }, remainingMs) {
      const pages = await checkPages(pdf);
      if (isClipped(pdf, request.scale)) warnings.add('layout', CLIPPED);
      if (request.now !== null) overwriteDates(pdf, request.now);
      const lane = document === null ? 'fresh' : 'static';
      return complete({ pdf, pages, lane, warnings }, remainingMs);
    },
  };
}

/** Returns the owner of pages that are used again: an API key, for documents of equal languages. */
export function toOwner(keyId: string, ...languages: (string | null)[]): string {
  return languages.some((language) => language !== null) ? [keyId, ...languages].join(' ') : keyId;
}

/**
 * Returns the number of pages. Throws if an @page rule of the document made a sheet that viewers cannot show.
 */
async function checkPages(pdf: Buffer): Promise<number> {
  const pages = countPages(pdf);
  if (pages === null) throw new ApiError('render_failed');
  if (await hasGiantPage(pdf)) {
    throw new ApiError(
      'render_failed',
      'The @page rule of the document sets a page larger than 200 inches: correct it, or send page_size.',
    );
  }
  return pages;
}
