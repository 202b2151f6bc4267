/** The browser, and what renders in it: PDF generation and the pages of metadata requests. */
import type { Config } from '#config';
import { type BrowserEvent, createPageRenderer, type Page, type PageRenderer, RenderSlots } from '#browser';
import type { Egress } from '#egress';
import type { RenderOutcome } from '#metadata';
import { createPdfEngine, type PdfEngine, type RenderEnd, warmUp } from '#pdf';
import { nameSharer, type ShareHolder, type Shares, withPlace } from '#limits';
import type { Tracing } from '#telemetry';
import type { FastifyBaseLogger } from 'fastify';

export interface RenderingOptions {
  config: Config;
  logger: FastifyBaseLogger;
  shares: Shares;
  openResourceFetcher: Egress['openResourceFetcher'];
  now: () => number;
  tracing: Tracing;
  observer: RenderObserver | undefined;
}

/** Observes the browser and its renders. Must not throw. */
export interface RenderObserver {
  onBrowserEvent: (event: BrowserEvent) => void;
  onRender: (render: RenderEnd) => void;
  onPage: (outcome: RenderOutcome | { error: unknown }, ms: number) => void;
  onSlot: (use: { waitMs: number; heldMs: number }) => void;
}

export interface Rendering {
  /** Undefined if the process does not serve PDF. */
  pdf: Pick<PdfEngine, 'generatePdf'> | undefined;
  /** Undefined if the process does not serve metadata, or if the operator has turned rendering off. */
  renderPage: PageRenderer<ShareHolder> | undefined;
  /** Returns the state of the browser; null if there is none because nothing is rendered. */
  getBrowserStatus(): ReturnType<RenderSlots<ShareHolder>['status']> | null;
  /** Waits for the documents in flight and ends the browser. */
  close(): Promise<void>;
}

/** Starts a browser if an operation of this process renders. */
export async function openRendering(options: RenderingOptions): Promise<Rendering> {
  const { config, openResourceFetcher, now, tracing, observer } = options;
  const isPdfServed = config.operations.has('pdf');
  const arePagesRendered = config.operations.has('metadata') && config.metaRender;
  if (!isPdfServed && !arePagesRendered) return createNoRendering();
  const slots = await openSlots(options, warmUp);
  const { pdfRendererMemoryMb: rendererMemoryMb } = config;
  const rendering = { openResourceFetcher, nameClient: nameSharer, rendererMemoryMb, now };
  const pdf = isPdfServed
    ? createPdfEngine(
        {
          ...rendering,
          timeoutMs: config.pdfTimeoutMs,
          processPerDocument: config.pdfProcessPerDocument,
          trace: tracing.trace,
          onRender: observer?.onRender,
        },
        slots,
      )
    : undefined;
  return {
    pdf,
    renderPage: arePagesRendered
      ? observePages(createPageRenderer({ ...rendering, slots }), observer)
      : undefined,
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
  { config, logger, shares, now, observer }: RenderingOptions,
  warmUp: (page: Page) => Promise<void>,
): Promise<RenderSlots<ShareHolder>> {
  return RenderSlots.open({
    withSlot: (caller, signal, work, place = {}) => {
      const request = { kind: 'browserPages', holder: caller, signal, ...place } as const;
      return withPlace(shares, request, observer ? observeSlot(work, observer) : work);
    },
    onBrowserEvent: observer?.onBrowserEvent,
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

/** Observes the wait for a slot, which begins now, and the time for which `work` holds it. */
function observeSlot<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { onSlot }: RenderObserver,
): (signal: AbortSignal) => Promise<T> {
  const queuedAtMs = performance.now();
  return async (signal) => {
    const grantedAtMs = performance.now();
    try {
      return await work(signal);
    } finally {
      onSlot({ waitMs: grantedAtMs - queuedAtMs, heldMs: performance.now() - grantedAtMs });
    }
  };
}

function observePages(
  render: PageRenderer<ShareHolder>,
  observer: RenderObserver | undefined,
): PageRenderer<ShareHolder> {
  if (observer === undefined) return render;
  return async (...args) => {
    const startedAtMs = performance.now();
    try {
      const outcome = await render(...args);
      observer.onPage(outcome, performance.now() - startedAtMs);
      return outcome;
    } catch (error) {
      observer.onPage({ error }, performance.now() - startedAtMs);
      throw error;
    }
  };
}
