import { ApiError } from '#errors';
import { BrowserKeeper } from './browser/browser-keeper.ts';
import { sweepRunFolders } from './browser/run-folder.ts';
import type { OpenResourceFetcher } from './fetch-resource.ts';
import type { GeneratedPdf, PdfRequest } from './pdf-request.ts';
import { renderDocument } from './render/render-document.ts';
import { DocumentWorker } from './worker/document-worker.ts';

export interface PdfEngineOptions {
  /** A headless-shell build; null looks for Debian's and for the unpacked one. */
  chromiumPath?: string | null;
  /** The folder that the set-up unpacked browser and fonts into, where it is not the default. */
  chromiumCacheDir?: string | null;
  openResourceFetcher: OpenResourceFetcher;
  now: () => number;
  log: PdfLog;
  /** Waits for the caller's turn to render. */
  acquireSlot: AcquireSlot;
  /** Documents rendered at once; so many pages are kept ready. */
  slots: number;
  /** Whether to refuse to render where the machine does not let Chromium have its sandbox. */
  requireSandbox: boolean;
  /** The resident memory at which a renderer is killed, in MiB. */
  rendererMemoryMb: number;
  /** The longest deadline of a render. */
  timeoutMs: number;
  /** False keeps the browser in the network of the service, where its flags alone hold it back. True by default, where the machine allows. */
  useNetworkNamespace?: boolean;
}

/** Whose document is rendered. Pages that were used are reused for the same key only; slots are shared between accounts. */
export interface PdfCaller {
  keyId: string;
  accountId: string;
  /** Documents that the account's plan allows at once; null: as many as the service has for one account. */
  slots: number | null;
}

/** The right to render one document. */
export interface Slot {
  release(): void;
}

/**
 * Waits for a slot, in the order that is fair between accounts. `onReclaim` is called with the client's error when the slot is needed by
 * another account. Rejects with ApiError `overloaded` or `rate_limit_exceeded`, and with the signal's reason.
 */
export type AcquireSlot = (
  caller: PdfCaller,
  options: { signal: AbortSignal | undefined; onReclaim: (error: ApiError) => void },
) => Promise<Slot>;

/** A structured log, as pino has it. */
export interface PdfLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface PdfEngineStatus {
  ready: boolean;
  /** Why it is not ready. */
  reason?: string;
  sandbox: boolean;
  network: 'namespace' | 'flags';
  /** Documents being rendered, and those that wait for a slot. */
  busy: number;
  queued: number;
  slots: number;
  browserVersion?: string;
}

export interface PdfEngine {
  /** Renders a document. Throws ApiError: timeout, render_failed, invalid_parameter, overloaded, unavailable; and the signal's reason where the caller goes away. */
  generatePdf(request: PdfRequest, caller: PdfCaller, signal?: AbortSignal): Promise<GeneratedPdf>;
  status(): PdfEngineStatus;
  /** Accepts no more documents, waits for those in flight, and leaves no process or folder behind. */
  close(): Promise<void>;
}

/** Opens the engine and starts a browser. Without one it opens all the same, says so in its status, and looks again later. */
export async function openPdfEngine(options: PdfEngineOptions): Promise<PdfEngine> {
  const swept = await sweepRunFolders();
  if (swept > 0) options.log.warn({ swept }, 'ended the browsers of an earlier service that was killed');
  const keeper = new BrowserKeeper({
    chromiumPath: options.chromiumPath ?? null,
    chromiumCacheDir: options.chromiumCacheDir ?? null,
    requireSandbox: options.requireSandbox,
    useNetworkNamespace: options.useNetworkNamespace ?? true,
    slots: options.slots,
    now: options.now,
    log: options.log,
  });
  await keeper.start();
  const worker = new DocumentWorker();
  const inFlight = new Set<Promise<GeneratedPdf>>();
  let queued = 0;
  let busy = 0;
  let isClosed = false;

  async function acquireSlot(
    caller: PdfCaller,
    signal: AbortSignal | undefined,
    onReclaim: (error: ApiError) => void,
  ): Promise<Slot> {
    queued += 1;
    try {
      return await options.acquireSlot(caller, { signal, onReclaim });
    } finally {
      queued -= 1;
    }
  }

  async function render(
    request: PdfRequest,
    caller: PdfCaller,
    signal: AbortSignal | undefined,
  ): Promise<GeneratedPdf> {
    const reclaimed = new AbortController();
    const slot = await acquireSlot(caller, signal, (error) => reclaimed.abort(error));
    busy += 1;
    const signals = signal === undefined ? [reclaimed.signal] : [signal, reclaimed.signal];
    try {
      return await renderDocument(keeper, request, {
        ...options,
        worker,
        keyId: caller.keyId,
        accountId: caller.accountId,
        signal: AbortSignal.any(signals),
      });
    } finally {
      busy -= 1;
      slot.release();
      if (queued === 0) keeper.refill({ isIdle: busy === 0 });
    }
  }

  return {
    async generatePdf(request, caller, signal) {
      if (isClosed)
        throw new ApiError('unavailable', 'The service is shutting down: send the request again.', {
          retryAfterSeconds: 5,
        });
      const rendering = render(request, caller, signal);
      inFlight.add(rendering);
      try {
        return await rendering;
      } finally {
        inFlight.delete(rendering);
      }
    },
    status: () => ({ ...keeper.status(), busy, queued, slots: options.slots }),
    async close() {
      isClosed = true;
      await Promise.allSettled(inFlight);
      await keeper.close();
      await worker.close();
    },
  };
}
