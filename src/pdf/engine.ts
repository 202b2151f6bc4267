import { BrowserKeeper } from './browser/browser-keeper.ts';
import { sweepRunFolders } from './browser/run-folder.ts';
import type { OpenResourceFetcher } from './fetch-resource.ts';
import type { GeneratedPdf, PdfRequest } from './pdf-request.ts';
import { RenderQueue } from './queue/render-queue.ts';
import { renderDocument } from './render/render-document.ts';

export interface PdfEngineOptions {
  /** A headless-shell build; null looks for Debian's and for the unpacked one. */
  chromiumPath?: string | null;
  /** The folder that the set-up unpacked browser and fonts into, where it is not the default. */
  chromiumCacheDir?: string | null;
  openResourceFetcher: OpenResourceFetcher;
  now: () => number;
  log: PdfLog;
  /** Renders at a time: the number of cores is best. */
  slots: number;
  /** Whether to refuse to render where the machine does not let Chromium have its sandbox. */
  requireSandbox: boolean;
  /** The resident memory at which a renderer is killed, in MiB. */
  rendererMemoryMb: number;
  /** The longest deadline of a render. */
  timeoutMs: number;
  /** False keeps the browser in the network of the service, where its flags alone hold it back. True by default, where the machine allows. */
  useNetworkNamespace?: boolean;
  maxQueued?: number;
  maxQueueWaitMs?: number;
}

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
  busy: number;
  queued: number;
  slots: number;
  browserVersion?: string;
}

export interface PdfEngine {
  /** Renders a document. Throws ApiError: timeout, render_failed, invalid_parameter, overloaded, unavailable; and the signal's reason where the caller goes away. */
  generatePdf(request: PdfRequest, caller: { keyId: string }, signal?: AbortSignal): Promise<GeneratedPdf>;
  status(): PdfEngineStatus;
  /** Takes nothing new, waits for what is being rendered, and leaves no process or folder behind. */
  close(): Promise<void>;
}

const MAX_QUEUED = 200;
const MAX_QUEUED_BYTES = 128 * 1024 * 1024;
const MAX_QUEUE_WAIT_MS = 10_000;

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
  const queue = new RenderQueue({
    slots: options.slots,
    maxQueued: options.maxQueued ?? MAX_QUEUED,
    maxQueuedBytes: MAX_QUEUED_BYTES,
    maxWaitMs: options.maxQueueWaitMs ?? MAX_QUEUE_WAIT_MS,
    now: options.now,
  });

  async function generatePdf(
    request: PdfRequest,
    caller: { keyId: string },
    signal?: AbortSignal,
  ): Promise<GeneratedPdf> {
    const lease = await queue.acquire({ keyId: caller.keyId, bytes: request.htmlBytes, signal });
    try {
      return await renderDocument(keeper, request, { ...options, keyId: caller.keyId, signal });
    } finally {
      lease.release();
      if (queue.queued === 0) keeper.refill({ isIdle: queue.busy === 0 });
    }
  }

  return {
    generatePdf,
    status: () => ({ ...keeper.status(), busy: queue.busy, queued: queue.queued, slots: options.slots }),
    async close() {
      await queue.close();
      await keeper.close();
    },
  };
}
