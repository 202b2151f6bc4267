import { ApiError } from '#errors';
import { renderPage, type BrowserKeeper, type OpenResourceFetcher, type Page } from '#browser';
import type { PreparedRequest } from '../document/prepare-request.ts';
import { hasGiantPage, overwriteDates, parsePageCount } from '../pdf-pages.ts';
import type { GeneratedPdf, PdfRequest } from '../pdf-request.ts';
import type { DocumentWorker } from '../worker/document-worker.ts';
import { computeDeadlineMs, computeResourceDeadlineMs } from './deadline.ts';
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
  request: PdfRequest,
  options: RenderOptions,
): Promise<GeneratedPdf> {
  const deadlineMs = computeDeadlineMs(request, options.timeoutMs);
  const startedAt = options.now();
  const prepared = await prepare(request, { ...options, remainingMs: deadlineMs });
  const { lane } = prepared;
  const work = {
    ownerId: lane === 'static' ? options.keyId : null,
    documentBytes: request.htmlBytes,
    render: (page: Page, remainingMs: number) => render(page, request, { ...options, prepared, remainingMs }),
    finish: async (pdf: Buffer, remainingMs: number) => {
      const pages = await checkPages(pdf);
      if (request.now !== null) overwriteDates(pdf, request.now);
      return { pdf: await finishTagged(pdf, request, { ...options, remainingMs }), pages, lane };
    },
  };
  try {
    return await renderPage(keeper, work, {
      ...options,
      remainingMs: deadlineMs - (options.now() - startedAt),
    });
  } catch (error) {
    throw toApiError(error);
  }
}

function render(
  page: Page,
  request: PdfRequest,
  {
    prepared,
    remainingMs,
    openResourceFetcher,
    accountId,
    now,
  }: RenderOptions & { prepared: PreparedRequest; remainingMs: number },
): Promise<Buffer> {
  if (prepared.lane === 'static') return renderStatic(page, request, prepared);
  const timeoutMs = computeResourceDeadlineMs(remainingMs);
  const budget = { maxBytes: MAX_RESOURCE_BYTES, maxRequests: MAX_RESOURCE_REQUESTS, timeoutMs };
  const fetchResource = openResourceFetcher(budget, accountId);
  return renderFresh(page, request, { prepared, fetchResource, timeoutMs, now });
}

async function finishTagged(
  pdf: Buffer,
  request: PdfRequest,
  options: RenderOptions & { remainingMs: number },
): Promise<Buffer> {
  const isTagged = request.tagged || request.outline;
  return isTagged ? finish(pdf, request.filename.replace(/\.pdf$/i, ''), options) : pdf;
}

/**
 * Returns the number of pages. Throws if an @page rule of the document made a sheet that viewers cannot show.
 */
async function checkPages(pdf: Buffer): Promise<number> {
  const pages = parsePageCount(pdf);
  if (pages === null) throw new ApiError('render_failed');
  if (await hasGiantPage(pdf)) {
    throw new ApiError(
      'render_failed',
      'The @page rule of the document asks for a sheet of more than 200 inches: correct it, or send page_size.',
    );
  }
  return pages;
}
