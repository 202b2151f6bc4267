import { ApiError } from '#errors';
import type { Page, RenderSlots, RenderSlotsStatus, WithSlot as BrowserWithSlot } from '#browser';
import type { PdfRequest } from './pdf-request.ts';
import { generatePdf } from './generate-pdf.ts';
import type { EngineParts, GeneratedPdf, PdfRenderOptions, RenderWatch } from './pdf-job.ts';
import { TemplateHeights } from './print/template-heights.ts';
import { warmUp } from './print/lanes.ts';
import { KnownGlyphs } from './warnings/glyph-check.ts';
import { TemplateThreads } from './liquid/template-threads.ts';
import { DocumentWorker } from './worker/document-worker.ts';

/**
 * The owner of a document. Used pages are reused for the same key only; slots are shared between accounts.
 */
export interface PdfCaller {
  keyId: string;
  accountId: string;
  /** Documents that the account's plan allows at a time; null for the service's limit for one account. */
  slots: number | null;
}

/** Gives a document its slot. */
export type WithSlot = BrowserWithSlot<PdfCaller>;

export type PdfEngineStatus = RenderSlotsStatus;

export interface PdfEngine {
  /**
   * Renders a document. Throws ApiError: timeout, render_failed, invalid_parameter, overloaded,
   * rate_limit_exceeded, unavailable; and the signal's reason.
   */
  generatePdf(
    request: PdfRequest,
    caller: PdfCaller,
    signal?: AbortSignal,
    watch?: RenderWatch,
  ): Promise<GeneratedPdf>;
  status(): PdfEngineStatus;
  /** Accepts no more documents, waits for those in flight, and ends its thread. */
  close(): Promise<void>;
}

/** The pages of a browser in which documents are rendered, made ready for them. */
export interface PdfPages {
  /** Prepares a new page, and learns which characters its fonts have. */
  warmUp: (page: Page) => Promise<void>;
  glyphs: KnownGlyphs;
}

/** Creates what a browser needs before it starts, so that its pages are ready for documents. */
export function createPdfPages(): PdfPages {
  const glyphs = new KnownGlyphs();
  return {
    glyphs,
    warmUp: async (page) => {
      await warmUp(page);
      await glyphs.learnCommon(page);
    },
  };
}

/** Creates the engine that renders in these slots. Their pages were made ready by `pages`. */
export function createPdfEngine(
  options: PdfRenderOptions,
  slots: RenderSlots<PdfCaller>,
  pages: PdfPages,
): PdfEngine {
  return new ChromiumPdfEngine(options, slots, pages.glyphs);
}

class ChromiumPdfEngine implements PdfEngine {
  readonly #options: PdfRenderOptions;
  readonly #slots: RenderSlots<PdfCaller>;
  readonly #parts: EngineParts;
  readonly #inFlight = new Set<Promise<GeneratedPdf>>();
  #isClosed = false;

  constructor(options: PdfRenderOptions, slots: RenderSlots<PdfCaller>, glyphs: KnownGlyphs) {
    this.#options = options;
    this.#slots = slots;
    this.#parts = {
      worker: new DocumentWorker(),
      templateThreads: new TemplateThreads(),
      heights: new TemplateHeights(),
      glyphs,
    };
  }

  async generatePdf(
    request: PdfRequest,
    caller: PdfCaller,
    signal?: AbortSignal,
    watch?: RenderWatch,
  ): Promise<GeneratedPdf> {
    if (this.#isClosed)
      throw new ApiError('unavailable', 'The service is shutting down: send the request again.', {
        retryAfterSeconds: 5,
      });
    const rendering = this.#render(request, caller, signal, watch);
    this.#inFlight.add(rendering);
    try {
      return await rendering;
    } finally {
      this.#inFlight.delete(rendering);
    }
  }

  status(): PdfEngineStatus {
    return this.#slots.status();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#inFlight);
    await Promise.all([this.#parts.worker.close(), this.#parts.templateThreads.close()]);
  }

  async #render(
    request: PdfRequest,
    caller: PdfCaller,
    signal: AbortSignal | undefined,
    watch: RenderWatch | undefined,
  ): Promise<GeneratedPdf> {
    const { keyId, accountId } = caller;
    const endQueue = watch?.startPhase('queue');
    try {
      return await this.#slots.run(caller, signal, (keeper, held) => {
        endQueue?.();
        const options = { ...this.#options, ...this.#parts, keyId, accountId, signal: held, watch };
        return generatePdf(keeper, request, options);
      });
    } finally {
      endQueue?.();
    }
  }
}
