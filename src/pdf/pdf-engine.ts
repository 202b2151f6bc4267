import { ApiError } from '#errors';
import type { RenderSlots, WithSlot as BrowserWithSlot } from '#browser';
import type { PdfRequest } from './pdf-request.ts';
import { generatePdf } from './generate-pdf.ts';
import type { EngineParts, GeneratedPdf, PdfRenderOptions, RenderWatch } from './pdf-job.ts';
import { TemplateHeights } from './print/check-templates.ts';
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

export type PdfEngine = ReturnType<typeof createPdfEngine>;

/** Creates the engine that renders in these slots, whose pages `warmUp` makes ready for documents. */
export function createPdfEngine(options: PdfRenderOptions, slots: RenderSlots<PdfCaller>) {
  const parts: EngineParts = {
    worker: new DocumentWorker(),
    templateThreads: new TemplateThreads(),
    heights: new TemplateHeights(),
    glyphs: new KnownGlyphs(),
  };
  const inFlight = new Set<Promise<GeneratedPdf>>();
  let isClosed = false;
  return {
    /**
     * Renders a document. Throws ApiError: timeout, render_failed, invalid_parameter, overloaded,
     * rate_limit_exceeded, unavailable; and the signal's reason.
     */
    async generatePdf(
      request: PdfRequest,
      caller: PdfCaller,
      signal?: AbortSignal,
      watch?: RenderWatch,
    ): Promise<GeneratedPdf> {
      if (isClosed)
        throw new ApiError('unavailable', 'The service is shutting down: send the request again.', {
          retryAfterSeconds: 5,
        });
      const endQueue = watch?.startPhase('queue');
      const { keyId } = caller;
      const client = options.nameClient?.(caller) ?? caller.accountId;
      const rendering = slots.run(caller, signal, (keeper, held) => {
        endQueue?.();
        return generatePdf(keeper, request, { ...options, ...parts, keyId, client, signal: held, watch });
      });
      inFlight.add(rendering);
      try {
        return await rendering;
      } finally {
        endQueue?.();
        inFlight.delete(rendering);
      }
    },
    status: () => slots.status(),
    /** Accepts no more documents, waits for those in flight, and ends its thread. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.allSettled(inFlight);
      await Promise.all([parts.worker.close(), parts.templateThreads.close()]);
    },
  };
}
