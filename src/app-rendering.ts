/** The browser, and what renders in it: PDF generation and the pages of metadata requests. */
import type { Config } from '#config';
import { createPageRenderer, type Page, type PageRenderer, RenderSlots } from '#browser';
import type { Egress } from '#egress';
import { createPdfEngine, createPdfPages, type PdfEngine } from '#pdf';
import { type ShareHolder, type Shares, withPlace } from '#shares';
import type { Tracing } from '#tracing';
import type { FastifyBaseLogger } from 'fastify';

export interface RenderingOptions {
  config: Config;
  logger: FastifyBaseLogger;
  shares: Shares;
  openResourceFetcher: Egress['openResourceFetcher'];
  now: () => number;
  tracing: Tracing;
}

export interface Rendering {
  /** Undefined if the process does not serve PDF. */
  pdf: PdfEngine | undefined;
  /** Undefined if the process does not serve metadata, or if the operator has turned rendering off. */
  renderPage: PageRenderer<ShareHolder> | undefined;
  /** Returns the state of the browser; null if there is none because nothing is rendered. */
  getBrowserStatus(): ReturnType<RenderSlots<ShareHolder>['status']> | null;
  /** Waits for the documents in flight and ends the browser. */
  close(): Promise<void>;
}

/** Starts a browser if an operation of this process renders. */
export async function openRendering(options: RenderingOptions): Promise<Rendering> {
  const { config, openResourceFetcher, now, tracing } = options;
  const isPdfServed = config.operations.has('pdf');
  const arePagesRendered = config.operations.has('metadata') && config.metaRender;
  if (!isPdfServed && !arePagesRendered) return createNoRendering();
  const pages = createPdfPages();
  const slots = await openSlots(options, pages.warmUp);
  const rendering = { openResourceFetcher, rendererMemoryMb: config.pdfRendererMemoryMb, now };
  const pdf = isPdfServed
    ? createPdfEngine({ ...rendering, timeoutMs: config.pdfTimeoutMs, trace: tracing.trace }, slots, pages)
    : undefined;
  return {
    pdf,
    renderPage: arePagesRendered ? createPageRenderer({ ...rendering, slots }) : undefined,
    getBrowserStatus: () => slots.status(),
    async close() {
      await pdf?.close();
      await slots.close();
    },
  };
}

function createNoRendering(): Rendering {
  return { pdf: undefined, renderPage: undefined, getBrowserStatus: () => null, close: async () => {} };
}

/** Opens the browser that PDF generation and metadata share. */
function openSlots(
  { config, logger, shares, now }: RenderingOptions,
  warmUp: (page: Page) => Promise<void>,
): Promise<RenderSlots<ShareHolder>> {
  return RenderSlots.open({
    withSlot: (caller, signal, work, place = {}) =>
      withPlace(shares, { kind: 'browserPages', holder: caller, signal, ...place }, work),
    chromiumPath: config.chromiumPath,
    chromiumCacheDir: config.chromiumCacheDir,
    useNetworkNamespace: true,
    slots: config.pdfSlots,
    requireSandbox: config.pdfRequireSandbox,
    warmUp,
    log: logger,
    now,
  });
}
