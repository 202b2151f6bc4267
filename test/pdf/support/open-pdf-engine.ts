/** An engine with a browser of its own, for tests and benchmarks: the service shares one browser. */
import type * as BrowserModule from '#browser';
import type { BrowserLog } from '#browser';
import type * as PdfModule from '#pdf';
import type { PdfEngine, PdfRenderOptions, WithSlot } from '#pdf';

/** The options of an engine with a browser of its own. */
export interface PdfEngineOptions extends PdfRenderOptions {
  /** A headless-shell build; null looks for Debian's and for the unpacked one. */
  chromiumPath?: string | null;
  /** The folder that the setup unpacked the browser and fonts into, if it is not the default. */
  chromiumCacheDir?: string | null;
  log: BrowserLog;
  /** Gives each render its slot. */
  withSlot: WithSlot;
  /** Documents rendered at once; this many pages are kept ready. */
  slots: number;
  /** Refuses to render if the machine does not allow Chromium its sandbox. */
  requireSandbox: boolean;
  /**
   * False keeps the browser in the network namespace of the service. True by default, if the machine allows
   * it.
   */
  useNetworkNamespace?: boolean;
  /** Called when the shared browser started, ended or is replaced. */
  onBrowserEvent?: (event: string) => void;
}

type WarmUp = Pick<typeof PdfModule, 'warmUp'>;
/** Earlier versions made what an engine and its browser share before both. */
interface EngineModule extends WarmUp {
  createPdfEngine: (...args: [...Parameters<typeof PdfModule.createPdfEngine>, WarmUp]) => PdfEngine;
  createPdfPages?: () => WarmUp;
}

/**
 * Opens the engine of these modules, which may be those of another version, and a browser, which ends with
 * the engine. If none starts, the status says why, and later renders try again.
 */
export async function openPdfEngineOf(
  { RenderSlots }: typeof BrowserModule,
  { createPdfEngine, ...pdf }: EngineModule,
  options: PdfEngineOptions,
): Promise<PdfEngine> {
  const pages = pdf.createPdfPages?.() ?? pdf;
  const slots = await RenderSlots.open({
    ...options,
    chromiumPath: options.chromiumPath ?? process.env['CHROMIUM_PATH'] ?? null,
    chromiumCacheDir: options.chromiumCacheDir ?? null,
    useNetworkNamespace: options.useNetworkNamespace ?? true,
    warmUp: pages.warmUp,
  });
  const engine = createPdfEngine(options, slots, pages);
  return {
    generatePdf: (...args) => engine.generatePdf(...args),
    status: () => engine.status(),
    async close() {
      await engine.close();
      await slots.close();
    },
  };
}
