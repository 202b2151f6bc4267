import { ApiError } from '#errors';
import {
  renderPage,
  type BrowserKeeper,
  type FetchResource,
  type OpenResourceFetcher,
  type Page,
} from '#browser';
import { preloadFonts } from '../document/prepare-document.ts';
import type { PreparedRequest } from '../document/prepare-request.ts';
import { countPages } from '../pdf-file/count-pages.ts';
import { hasGiantPage } from '../pdf-file/giant-pages.ts';
import { overwriteDates } from '../pdf-file/overwrite-dates.ts';
import { updateMetadata } from '../pdf-file/update-metadata.ts';
import type { GeneratedPdf, PdfRequest } from '../pdf-request.ts';
import type { DocumentWorker } from '../worker/document-worker.ts';
import { CLIPPED, isClipped } from '../warnings/find-clipping.ts';
import { warnOfMissingGlyphs } from '../warnings/find-missing-glyphs.ts';
import { formatFailedRequest } from '../warnings/format-failed-request.ts';
import type { KnownGlyphs } from '../warnings/known-glyphs.ts';
import { refuseWarnings } from '../warnings/refuse-warnings.ts';
import { Warnings } from '../warnings/warnings.ts';
import { checkTemplates } from './check-templates.ts';
import { computeDeadlineMs, computeResourceDeadlineMs } from './deadline.ts';
import { inlineDocument, type InlineOutcome, type StaticDocument } from './inline-document.ts';
import { inlineTemplates, type InlinedTemplates } from './inline-templates.ts';
import { finish, prepare } from './off-thread.ts';
import { renderFresh } from './render-fresh.ts';
import { renderStatic } from './render-static.ts';
import { toApiError } from './to-api-error.ts';

export interface RenderOptions {
  keyId: string;
  accountId: string;
  /** Does the work on large documents. */
  worker: DocumentWorker;
  signal: AbortSignal | undefined;
  openResourceFetcher: OpenResourceFetcher;
  rendererMemoryMb: number;
  timeoutMs: number;
  glyphs: KnownGlyphs;
  /** Milliseconds since 1970. */
  now: () => number;
}

const MAX_RESOURCE_BYTES = 50 * 1024 * 1024;
const MAX_RESOURCE_REQUESTS = 500;

/**
 * Renders one document that has its slot, in the lane that suits it. Throws ApiError and the signal's reason.
 */
export async function renderDocument(
  keeper: BrowserKeeper,
  body: PdfRequest,
  options: RenderOptions,
): Promise<GeneratedPdf> {
  const startedAt = options.now();
  const request = { ...body, date: body.date ?? new Date(startedAt).toISOString().slice(0, 10) };
  const deadlineMs = computeDeadlineMs(request, options.timeoutMs);
  const getRemainingMs = (): number => deadlineMs - (options.now() - startedAt);
  const prepared = await prepare(request, { ...options, remainingMs: deadlineMs });
  const { document, reuse, templates } = await inline(prepared, {
    ...options,
    remainingMs: getRemainingMs(),
  });
  const lane = document === null ? ('fresh' as const) : ('static' as const);
  const work = {
    ownerId: document === null ? null : options.keyId,
    leavesState: document?.leavesState ?? false,
    documentBytes: request.htmlBytes,
    render: (page: Page, remainingMs: number) =>
      document
        ? printStatic(page, request, { ...options, prepared, document, templates })
        : printFresh(page, request, prepared, { ...options, reuse, templates, remainingMs }),
    finish: async ({ pdf, warnings }: RenderedPdf, remainingMs: number) => {
      const pages = await checkPages(pdf);
      if (isClipped(pdf, request.scale)) warnings.add('layout', CLIPPED);
      if (request.now !== null) overwriteDates(pdf, request.now);
      const finished = await finishPdf(pdf, request, { ...options, remainingMs });
      return { pdf: finished, pages, lane, warnings: warnings.list() };
    },
  };
  try {
    const generated = await renderPage(keeper, work, { ...options, remainingMs: getRemainingMs() });
    if (request.strict) refuseWarnings(generated.warnings);
    return generated;
  } catch (error) {
    throw toApiError(error);
  }
}

interface RenderedPdf {
  pdf: Buffer;
  /** Of this attempt: a document whose browser was lost is rendered again. */
  warnings: Warnings;
}

type TimedOptions = RenderOptions & { remainingMs: number };

type Inlined = InlineOutcome & { templates: InlinedTemplates };

/** Inlines the resources of the document, the header and the footer, within one budget. */
async function inline(prepared: PreparedRequest, options: TimedOptions): Promise<Inlined> {
  const timeoutMs = computeResourceDeadlineMs(options.remainingMs);
  let fetchResource: FetchResource | null = null;
  const openOnce = (): FetchResource => (fetchResource ??= openFetcher(options, timeoutMs));
  const limits = { timeoutMs, signal: options.signal };
  const [document, templates] = await Promise.all([
    inlineDocument(prepared, openOnce, limits),
    inlineTemplates(prepared, openOnce, limits),
  ]);
  return { ...document, templates };
}

async function printStatic(
  page: Page,
  request: PdfRequest,
  {
    prepared,
    document,
    glyphs,
    templates: { templates, fonts, failures },
  }: Pick<RenderOptions, 'glyphs'> & {
    prepared: PreparedRequest;
    document: StaticDocument;
    templates: InlinedTemplates;
  },
): Promise<RenderedPdf> {
  const warnings = new Warnings();
  for (const failed of [...document.failures, ...failures])
    warnings.add('resource', formatFailedRequest(failed));
  const html = preloadFonts(document.html, fonts);
  const pdf = await renderStatic(page, request, { ...document, html, templates });
  const source = { html: prepared.html, glyphs, isScripted: false, hasScreenLayout: false };
  await warnOfMissingGlyphs(page, warnings, source);
  await checkTemplates(page, request, { templates, warnings, isReused: true });
  return { pdf, warnings };
}

async function printFresh(
  page: Page,
  request: PdfRequest,
  prepared: PreparedRequest,
  { reuse, templates: inlined, ...options }: TimedOptions & Pick<Inlined, 'reuse' | 'templates'>,
): Promise<RenderedPdf> {
  const warnings = new Warnings();
  for (const failed of inlined.failures) warnings.add('resource', formatFailedRequest(failed));
  const timeoutMs = computeResourceDeadlineMs(options.remainingMs);
  const fetchResource = reuse(openFetcher(options, timeoutMs));
  const { now, glyphs } = options;
  const { html } = prepared;
  const document = { ...prepared, html: preloadFonts(html, inlined.fonts), templates: inlined.templates };
  const pdf = await renderFresh(page, request, {
    prepared: document,
    fetchResource,
    timeoutMs,
    now,
    warnings,
  });
  const isScripted = request.javascript;
  await warnOfMissingGlyphs(page, warnings, { html, glyphs, isScripted, hasScreenLayout: true });
  await checkTemplates(page, request, { templates: inlined.templates, warnings, isReused: false });
  return { pdf, warnings };
}

function openFetcher({ openResourceFetcher, accountId }: RenderOptions, timeoutMs: number): FetchResource {
  const budget = { maxBytes: MAX_RESOURCE_BYTES, maxRequests: MAX_RESOURCE_REQUESTS, timeoutMs };
  return openResourceFetcher(budget, accountId);
}

async function finishPdf(
  pdf: Buffer,
  { title, language, tagged, outline, filename }: PdfRequest,
  options: RenderOptions & { remainingMs: number },
): Promise<Buffer> {
  if (!tagged && !outline) return updateMetadata(pdf, { title, language });
  return finish(pdf, { title, language, fallbackTitle: filename.replace(/\.pdf$/i, '') }, options);
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
      'The @page rule of the document asks for a sheet of more than 200 inches: correct it, or send page_size.',
    );
  }
  return pages;
}
