import { ApiError } from '#errors';
import {
  renderPage,
  type BrowserKeeper,
  type FetchResource,
  type OpenResourceFetcher,
  type PageWork,
} from '#browser';
import type { PreparedRequest } from '../document/prepare-request.ts';
import { countPages } from '../pdf-file/count-pages.ts';
import { hasGiantPage } from '../pdf-file/giant-pages.ts';
import { overwriteDates } from '../pdf-file/overwrite-dates.ts';
import { updateMetadata } from '../pdf-file/update-metadata.ts';
import type { GeneratedPdf, PdfRequest } from '../pdf-request.ts';
import { fillTemplates } from '../template/fill-templates.ts';
import type { TemplateThreads } from '../template/template-threads.ts';
import type { DocumentWorker } from '../worker/document-worker.ts';
import type { Warnings } from '../warnings/warnings.ts';
import { CLIPPED, isClipped } from '../warnings/find-clipping.ts';
import type { KnownGlyphs } from '../warnings/known-glyphs.ts';
import { refuseWarnings } from '../warnings/refuse-warnings.ts';
import { computeDeadlineMs, computeResourceDeadlineMs, type DeadlineLimits } from './deadline.ts';
import { inlineDocument, type InlineOutcome } from './inline-document.ts';
import { inlineTemplates, type InlinedTemplates } from './inline-templates.ts';
import { needsFinishing } from '../finish/finishing.ts';
import { toFinishOptions } from '../finish/to-finish-options.ts';
import { finishPdfOffThread, finishTaggedOffThread, prepareOffThread } from './off-thread.ts';
import { printFresh, printStatic, type PrintedDocument } from './print-document.ts';
import { RenderFetchers } from './render-fetchers.ts';
import { runPhase, type RenderWatch } from './render-watch.ts';
import type { TemplateHeights } from './template-heights.ts';
import { toApiError } from './to-api-error.ts';

export interface RenderOptions extends DeadlineLimits {
  keyId: string;
  accountId: string;
  /** Does the work on large documents. */
  worker: DocumentWorker;
  templateThreads: TemplateThreads;
  signal: AbortSignal | undefined;
  openResourceFetcher: OpenResourceFetcher;
  rendererMemoryMb: number;
  glyphs: KnownGlyphs;
  heights: TemplateHeights;
  /** Milliseconds since 1970. */
  now: () => number;
  trace?: <T>(name: string, run: () => T) => T;
  onRender?: ((render: RenderEnd) => void) | undefined;
  watch?: RenderWatch | undefined;
}

/** The end of a render. `undecided`: it failed before a lane was chosen. */
export interface RenderEnd {
  lane: GeneratedPdf['lane'] | 'undecided';
  /** Undefined if it succeeded. */
  error?: unknown;
  ms: number;
}

/**
 * Renders one document that has its slot, in the lane that suits it. Throws ApiError and the signal's reason.
 */
export async function renderDocument(
  keeper: BrowserKeeper,
  body: PdfRequest,
  options: RenderOptions,
): Promise<GeneratedPdf> {
  const startedAt = options.now();
  let request = { ...body, date: body.date ?? new Date(startedAt).toISOString().slice(0, 10) };
  const deadlineMs = computeDeadlineMs(request, options);
  options.watch?.onDeadline(deadlineMs);
  const getRemainingMs = (): number => deadlineMs - (options.now() - startedAt);
  const fetchers = new RenderFetchers(options.openResourceFetcher, options.accountId);
  let lane: RenderEnd['lane'] = 'undecided';
  const end = (error?: unknown): void => options.onRender?.({ lane, error, ms: options.now() - startedAt });
  try {
    if (request.template !== null)
      request = await fillTemplates(request, { ...options, remainingMs: getRemainingMs() });
    const { prepared, inlined } = await runPhase(options.watch, 'load', async () => {
      const document = await prepareOffThread(request, { ...options, remainingMs: deadlineMs });
      const loaded = await inline(document, fetchers, { ...options, remainingMs: getRemainingMs() });
      return { prepared: document, inlined: loaded };
    });
    lane = inlined.document === null ? 'fresh' : 'static';
    const work = createWork(request, prepared, { ...options, inlined, fetchers });
    const generated = await renderPage(keeper, work, { ...options, remainingMs: getRemainingMs() });
    if (request.strict) refuseWarnings(generated.warnings);
    end();
    return generated;
  } catch (thrown) {
    const error = toApiError(thrown, request, options);
    end(error);
    throw error;
  } finally {
    fetchers.close();
  }
}

type TimedOptions = RenderOptions & { remainingMs: number };

type WorkOptions = RenderOptions & { inlined: Inlined; fetchers: RenderFetchers };

type Inlined = InlineOutcome & { templates: InlinedTemplates };

/** Inlines the resources of the document, the header and the footer, within one budget. */
async function inline(
  prepared: PreparedRequest,
  fetchers: RenderFetchers,
  { timeoutMs: maxMs, remainingMs, signal }: TimedOptions,
): Promise<Inlined> {
  const limits = { timeoutMs: computeResourceDeadlineMs(remainingMs), signal };
  // A page may use the fetcher too, and its deadline begins later, when a browser runs.
  const openFetcher = (): FetchResource => fetchers.share(maxMs);
  const [document, templates] = await Promise.all([
    inlineDocument(prepared, openFetcher, limits),
    inlineTemplates(prepared, openFetcher, limits),
  ]);
  return { ...document, templates };
}

/** Creates the work of a page: in one that its key may have used before, if the document is static. */
function createWork(
  request: PdfRequest,
  prepared: PreparedRequest,
  { inlined: { document, reuseFetched, templates }, fetchers, ...options }: WorkOptions,
): PageWork<PrintedDocument, GeneratedPdf> {
  const { glyphs, heights, keyId, now, watch, trace = (_name, run) => run() } = options;
  let attempts = 0;
  const common = { request, prepared, templates, glyphs, heights, keyId, watch };
  return {
    reuse: document && {
      ownerId: toOwner(options.keyId, document.hanLanguage, templates.hanLanguage),
      documentBytes: request.htmlBytes,
      leavesState: document.leavesState || templates.leavesState,
    },
    render(page, remainingMs) {
      if (document !== null) return trace('print', () => printStatic(page, document, common));
      const timeoutMs = computeResourceDeadlineMs(remainingMs);
      attempts += 1;
      const fetchResource = reuseFetched(
        attempts === 1 ? fetchers.share(timeoutMs) : fetchers.open(timeoutMs),
      );
      return trace('print', () => printFresh(page, { fetchResource, timeoutMs, now }, common));
    },
    async finish({ pdf, warnings }, remainingMs) {
      const pages = await checkPages(pdf);
      if (isClipped(pdf, request.scale)) warnings.add('layout', CLIPPED);
      if (request.now !== null) overwriteDates(pdf, request.now);
      const finished = await finishPrinted(pdf, request, { ...options, remainingMs, warnings });
      const lane = document === null ? 'fresh' : 'static';
      return { pdf: finished, pages, lane, warnings: warnings.list() };
    },
  };
}

/** Returns the owner of pages that are used again: an API key, for documents of equal languages. */
function toOwner(keyId: string, ...languages: (string | null)[]): string {
  return languages.some((language) => language !== null) ? [keyId, ...languages].join(' ') : keyId;
}

async function finishPrinted(
  pdf: Buffer,
  request: PdfRequest,
  { warnings, ...options }: TimedOptions & { warnings: Warnings },
): Promise<Uint8Array> {
  const { title, language, tagged, outline, filename, now } = request;
  if (needsFinishing(request)) {
    const input = { documents: [pdf], layers: [], options: toFinishOptions(request) };
    const finished = await finishPdfOffThread(input, options);
    if (finished.fault !== null) throw new ApiError('render_failed', finished.fault);
    for (const { kind, text } of finished.warnings) warnings.add(kind, text);
    return finished.pdf;
  }
  if (!tagged && !outline) return updateMetadata(pdf, { title, language });
  return finishTaggedOffThread(
    pdf,
    { title, language, fallbackTitle: filename.replace(/\.pdf$/i, ''), isReproducible: now !== null },
    options,
  );
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
