import { ApiError } from '#errors';
import { BrowserKeeper, type BrowserLog, type BrowserStatus, type OpenResourceFetcher } from '#browser';
import type { GeneratedPdf, PdfRequest } from './pdf-request.ts';
import { renderDocument } from './render/render-document.ts';
import { TemplateHeights } from './render/template-heights.ts';
import { warmUp } from './render/warm-up.ts';
import { KnownGlyphs } from './warnings/known-glyphs.ts';
import { DocumentWorker } from './worker/document-worker.ts';

export interface PdfEngineOptions {
  /** A headless-shell build; null looks for Debian's and for the unpacked one. */
  chromiumPath?: string | null;
  /** The folder that the setup unpacked the browser and fonts into, if it is not the default. */
  chromiumCacheDir?: string | null;
  openResourceFetcher: OpenResourceFetcher;
  /** Milliseconds since 1970. */
  now: () => number;
  log: BrowserLog;
  /** Gives each render its slot. */
  withSlot: WithSlot;
  /** Documents rendered at once; so many pages are kept ready. */
  slots: number;
  /** Refuses to render if the machine does not allow Chromium its sandbox. */
  requireSandbox: boolean;
  /** The resident memory at which a renderer is killed, in MiB. */
  rendererMemoryMb: number;
  /** The longest deadline of a render. */
  timeoutMs: number;
  /**
   * False keeps the browser in the network namespace of the service. True by default, if the machine allows
   * it.
   */
  useNetworkNamespace?: boolean;
}

/**
 * The owner of a document. Used pages are reused for the same key only; slots are shared between accounts.
 */
export interface PdfCaller {
  keyId: string;
  accountId: string;
  /** Documents that the account's plan allows at once; null for the service's limit for one account. */
  slots: number | null;
}

/**
 * Waits for a slot and runs `work` while holding it. The signal given to `work` aborts with the caller's
 * signal, and with the client's error if the slot is needed by another account. Rejects with ApiError
 * `overloaded` or `rate_limit_exceeded`, with the signal's reason, and as `work` does.
 */
export type WithSlot = <T>(
  caller: PdfCaller,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

export interface PdfEngineStatus extends BrowserStatus {
  /** Documents being rendered. */
  busy: number;
  /** Documents that wait for a slot. */
  queued: number;
  slots: number;
}

export interface PdfEngine {
  /**
   * Renders a document. Throws ApiError: timeout, render_failed, invalid_parameter, overloaded,
   * rate_limit_exceeded, unavailable; and the signal's reason.
   */
  generatePdf(request: PdfRequest, caller: PdfCaller, signal?: AbortSignal): Promise<GeneratedPdf>;
  status(): PdfEngineStatus;
  /** Accepts no more documents, waits for those in flight, and ends all processes. */
  close(): Promise<void>;
}

/**
 * Opens the engine and starts a browser. If none starts, the status says why, and later renders try again.
 */
export async function openPdfEngine(options: PdfEngineOptions): Promise<PdfEngine> {
  const glyphs = new KnownGlyphs();
  const keeper = new BrowserKeeper({
    ...options,
    chromiumPath: options.chromiumPath ?? null,
    chromiumCacheDir: options.chromiumCacheDir ?? null,
    useNetworkNamespace: options.useNetworkNamespace ?? true,
    warmUp: async (page) => {
      await warmUp(page);
      await glyphs.learnCommon(page);
    },
  });
  await keeper.start();
  return new ChromiumPdfEngine({ ...options, glyphs, heights: new TemplateHeights() }, keeper);
}

/** The options of an engine, and the memory that its renders share. */
interface EngineParts extends PdfEngineOptions {
  glyphs: KnownGlyphs;
  heights: TemplateHeights;
}

class ChromiumPdfEngine implements PdfEngine {
  readonly #options: EngineParts;
  readonly #keeper: BrowserKeeper;
  readonly #worker = new DocumentWorker();
  readonly #inFlight = new Set<Promise<GeneratedPdf>>();
  #queued = 0;
  #busy = 0;
  #isClosed = false;

  constructor(options: EngineParts, keeper: BrowserKeeper) {
    this.#options = options;
    this.#keeper = keeper;
  }

  async generatePdf(request: PdfRequest, caller: PdfCaller, signal?: AbortSignal): Promise<GeneratedPdf> {
    if (this.#isClosed)
      throw new ApiError('unavailable', 'The service is shutting down: send the request again.', {
        retryAfterSeconds: 5,
      });
    const rendering = this.#renderInSlot(request, caller, signal);
    this.#inFlight.add(rendering);
    try {
      return await rendering;
    } finally {
      this.#inFlight.delete(rendering);
    }
  }

  status(): PdfEngineStatus {
    const { slots } = this.#options;
    return { ...this.#keeper.status(), busy: this.#busy, queued: this.#queued, slots };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#inFlight);
    await this.#keeper.close();
    await this.#worker.close();
  }

  async #renderInSlot(
    request: PdfRequest,
    caller: PdfCaller,
    signal: AbortSignal | undefined,
  ): Promise<GeneratedPdf> {
    let isQueued = true;
    const leaveQueue = (): void => {
      if (isQueued) this.#queued -= 1;
      isQueued = false;
    };
    this.#queued += 1;
    try {
      return await this.#options.withSlot(caller, signal, (held) => {
        leaveQueue();
        return this.#render(request, caller, held);
      });
    } finally {
      leaveQueue();
    }
  }

  async #render(
    request: PdfRequest,
    { keyId, accountId }: PdfCaller,
    signal: AbortSignal,
  ): Promise<GeneratedPdf> {
    this.#busy += 1;
    try {
      const options = {
        ...this.#options,
        worker: this.#worker,
        keyId,
        accountId,
        signal,
      };
      return await renderDocument(this.#keeper, request, options);
    } finally {
      this.#busy -= 1;
      if (this.#queued === 0) this.#keeper.refill({ isIdle: this.#busy === 0 });
    }
  }
}
