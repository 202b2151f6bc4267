import { ApiError } from '#errors';
import type {
  OpenResourceFetcher,
  Page,
  RenderSlots,
  RenderSlotsStatus,
  WithSlot as BrowserWithSlot,
} from '#browser';
import type { PdfRequest } from './pdf-request.ts';
import type { GeneratedPdf, RenderEnd, RenderWatch } from './render/render-options.ts';
import { renderDocument } from './render/render-document.ts';
import { TemplateHeights } from './render/inline-templates.ts';
import { warmUp } from './render/lanes.ts';
import { KnownGlyphs } from './warnings/glyph-check.ts';
import type { PdfSizeLimit } from './render/off-thread.ts';
import type { DeadlineLimits } from './render/deadline.ts';
import { TemplateThreads } from './liquid/template-threads.ts';
import { DocumentWorker } from './worker/document-worker.ts';

/** The options of an engine that renders in the slots it is given. */
export interface PdfRenderOptions extends DeadlineLimits, PdfSizeLimit {
  openResourceFetcher: OpenResourceFetcher;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The resident memory at which a renderer is killed, in MiB. */
  rendererMemoryMb: number;
  trace?: TraceWork;
  /** Called at the end of each render that had a slot. Must not throw. */
  onRender?: ((render: RenderEnd) => void) | undefined;
}

/** Runs a part of the work in a span of a trace, and returns its result. */
export type TraceWork = <T>(name: string, run: () => Promise<T>) => Promise<T>;

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
  const { glyphs } = pages;
  return new ChromiumPdfEngine({ ...options, glyphs, heights: new TemplateHeights() }, slots);
}

/** The options of an engine, and the memory that its renders share. */
interface EngineParts extends PdfRenderOptions {
  glyphs: KnownGlyphs;
  heights: TemplateHeights;
}

class ChromiumPdfEngine implements PdfEngine {
  readonly #options: EngineParts;
  readonly #slots: RenderSlots<PdfCaller>;
  readonly #worker = new DocumentWorker();
  readonly #templateThreads = new TemplateThreads();
  readonly #inFlight = new Set<Promise<GeneratedPdf>>();
  #isClosed = false;

  constructor(options: EngineParts, slots: RenderSlots<PdfCaller>) {
    this.#options = options;
    this.#slots = slots;
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
    await Promise.all([this.#worker.close(), this.#templateThreads.close()]);
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
        const options = {
          ...this.#options,
          worker: this.#worker,
          templateThreads: this.#templateThreads,
          keyId,
          accountId,
          signal: held,
          watch,
        };
        return renderDocument(keeper, request, options);
      });
    } finally {
      endQueue?.();
    }
  }
}
