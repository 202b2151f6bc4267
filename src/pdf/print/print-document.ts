import { type FailedRequest, type Page, type PageReuse, renderPage } from '#browser';
import { resolvesWithin } from '#concurrency';
import { ApiError } from '#errors';
import type { Numbering } from '../contents/numbering.ts';
import { preloadFonts } from '../load/prepare-request.ts';
import { overwriteDates } from '../pdf-file/metadata.ts';
import { countPages } from '../pdf-file/object-table.ts';
import { hasGiantPage } from '../pdf-file/printed-pages.ts';
import { computeResourceDeadlineMs, type GeneratedPdf, type PdfJob } from '../pdf-job.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { checkTemplates } from './check-templates.ts';
import { mayRunScripts, type LoadedTexts } from '../load/load-texts.ts';
import { warnOfMissingGlyphs } from '../warnings/glyph-check.ts';
import {
  CLIPPED,
  UNFINISHED,
  TOO_MANY_WORKERS,
  Warnings,
  formatFailedRequest,
  formatScriptError,
  isClipped,
} from '../warnings/warnings.ts';
import { openStatic, openWarm } from './lanes.ts';
import { printPages } from './print-pages.ts';

/** A document as Chromium printed it. */
export interface PrintedDocument {
  pdf: Buffer;
  pages: number;
  lane: GeneratedPdf['lane'];
  /** Of the last attempt: a document whose browser was lost is rendered again. */
  warnings: Warnings;
}

/** The job of one document, and the page numbers of its links; null if they certainly show none. */
type DocumentJob = PdfJob & { numbering: Numbering | null };

/** A document may be busy with a script after it was printed: it has its PDF, without further warnings. */
const MAX_CHECKS_MS = 1_000;

/**
 * Renders a document in a page of its lane, prints it, and finds what to warn of. Throws ApiError,
 * PageLostError, CdpError, BrowserUnavailableError and the signal's reason.
 */
export async function printDocument(
  request: PdfRequest,
  loaded: LoadedTexts,
  job: DocumentJob,
): Promise<PrintedDocument> {
  const { deadline, trace = (_name, run) => run() } = job;
  const { pdf, warnings } = await renderPage(
    job.keeper,
    {
      reuse: job.processPerDocument === true ? null : findReuse(request, loaded, job.keyId),
      render: (page, remainingMs) =>
        trace('print', () =>
          printInPage(page, request, loaded, { ...job, timeoutMs: computeResourceDeadlineMs(remainingMs) }),
        ),
    },
    {
      ...job,
      accountId: job.client,
      remainingMs: deadline.remainingMs,
      longestRemainingMs: deadline.longestRemainingMs,
    },
  );
  const pages = await checkPages(pdf);
  if (isClipped(pdf, request.scale)) warnings.add('layout', CLIPPED);
  if (request.now !== null) overwriteDates(pdf, request.now);
  return { pdf, pages, lane: loaded.document !== null ? 'static' : 'warm', warnings };
}

/**
 * Prints a document in a page, and finds what to warn of. A static one has a page whose scripts are off; any
 * other is printed once its scripts and requests are done.
 */
async function printInPage(
  page: Page,
  request: PdfRequest,
  { prepared, document, fetchers, templates: { templates, fonts, failures }, marks }: LoadedTexts,
  job: DocumentJob & { timeoutMs: number },
): Promise<Pick<PrintedDocument, 'pdf' | 'warnings'>> {
  const warnings = new Warnings();
  const onFailure = (failed: FailedRequest): void => warnings.add('resource', formatFailedRequest(failed));
  [...(document?.failures ?? []), ...failures].forEach(onFailure);
  const html = preloadFonts({ ...prepared, html: document?.html ?? prepared.html }, fonts);
  if (document !== null) await openStatic(page, { ...document, html }, job);
  const opened =
    document === null
      ? await openWarm(
          page,
          { request, html, url: prepared.url },
          { ...job, fetchResource: fetchers.fetchForPage(job.timeoutMs), onFailure },
        )
      : null;
  if (opened?.document.isGrowing === true) warnings.add('layout', UNFINISHED);
  const isScripted = opened !== null && mayRunScripts(request, prepared.html);
  const isReused = document !== null;
  const checkGlyphs = (): Promise<void> => {
    const source = { html: prepared.html, glyphs: job.glyphs, isScripted, hasScreenLayout: !isReused };
    return warnOfMissingGlyphs(page, warnings, source);
  };
  // A document without scripts has its text already, and answers while the browser prepares to print.
  let checkingGlyphs = isReused ? checkGlyphs() : null;
  checkingGlyphs?.catch(() => {});
  let pdf: Buffer;
  try {
    pdf = await printPages(page, { request, templates, ...marks }, job);
    checkingGlyphs ??= checkGlyphs();
    checkingGlyphs.catch(() => {});
    const errors = isScripted ? await opened.document.findErrors() : [];
    for (const error of errors) warnings.add('script', formatScriptError(error));
    if (page.workers.refused > 0) warnings.add('script', TOO_MANY_WORKERS);
  } finally {
    opened?.requests.stop();
  }
  if (document?.isMoving === true) page.sendAndForget('Emulation.setEmulatedMedia', { media: '' });
  const check = async (): Promise<void> => {
    await checkingGlyphs;
    await checkTemplates(page, request, { ...job, templates, warnings, isReused });
  };
  await (isReused ? check() : resolvesWithin(check(), MAX_CHECKS_MS));
  return { pdf, warnings };
}

/** Returns how the page of a document is used again; null if it is not. */
function findReuse(
  request: PdfRequest,
  { prepared: { hanLanguages, url }, document, templates }: LoadedTexts,
  keyId: string,
): PageReuse | null {
  // A renderer keeps one font for each Han character, which the first language that uses it selects.
  if (hanLanguages === null || hanLanguages.length > 1) return null;
  const [hanLanguage = null] = hanLanguages;
  const documentBytes = request.htmlBytes;
  if (document !== null)
    return {
      ownerId: toOwner(keyId, hanLanguage, templates.hanLanguage),
      documentBytes,
      leaves: document.leavesState || templates.leavesState ? 'document' : 'content',
    };
  // Another document may have the same origin, and the clock of a renderer cannot be set twice.
  if (url !== null || request.now !== null || request.timezone !== null) return null;
  const ownerId = toOwner(`${keyId} warm`, hanLanguage, templates.hanLanguage);
  return { ownerId, documentBytes, leaves: 'realm', hanLanguage };
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
