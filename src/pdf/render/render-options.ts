import type { OpenResourceFetcher } from '#browser';
import type { Protocol } from 'devtools-protocol';
import type { PdfRequest } from '../pdf-request.ts';
import type { KnownGlyphs } from '../warnings/glyph-check.ts';
import type { TemplateThreads } from '../liquid/template-threads.ts';
import type { DocumentWorker } from '../worker/document-worker.ts';
import type { PdfSizeLimit } from './off-thread.ts';
import type { DeadlineLimits } from './deadline.ts';
import type { TemplateHeights } from './inline-templates.ts';
import type { PrintTemplates } from '../document/print-templates.ts';
import { DEFAULT_SHEET, PIXELS_PER_INCH } from '../document/page-geometry.ts';
import { DEFAULT_MARGINS } from '../request/sheet-members.ts';

export interface GeneratedPdf {
  pdf: Uint8Array;
  pages: number;
  /**
   * `static`: in a page that its API key may have used before; `fresh`: in a page of its own. For logs and
   * metrics.
   */
  lane: 'static' | 'fresh';
  /** The faults of the PDF, a sentence each: printable ASCII, at most 200 characters. */
  warnings: string[];
}

export interface RenderOptions extends DeadlineLimits, PdfSizeLimit {
  keyId: string;
  accountId: string;
  /** Does the work on large documents. */
  worker: DocumentWorker;
  templateThreads: TemplateThreads;
  signal: AbortSignal | undefined;
  openResourceFetcher: OpenResourceFetcher;
  rendererMemoryMb: number;
  glyphs: KnownGlyphs;
  heights: TemplateHeights;
  /** Milliseconds since 1970. */
  now: () => number;
  trace?: <T>(name: string, run: () => Promise<T>) => Promise<T>;
  onRender?: ((render: RenderEnd) => void) | undefined;
  watch?: RenderWatch | undefined;
}

/** The end of a render. `undecided`: it failed before a lane was chosen. */
export interface RenderEnd {
  lane: GeneratedPdf['lane'] | 'undecided';
  /** Undefined if it succeeded. */
  error?: unknown;
  ms: number;
}

/** The options of a part of a render. */
export interface PartOptions extends RenderOptions {
  /** Returns the milliseconds until the deadline of the request. */
  getRemainingMs: () => number;
  /** Called as soon as the lane is decided. */
  onLane: (lane: GeneratedPdf['lane']) => void;
}

/** The phases of a document: `queue` (for a slot), `load` (until it is ready to print), `print`. */
type RenderPhase = 'queue' | 'load' | 'print';

/** Observes one document. Must not throw. */
export interface RenderWatch {
  /** Called at the start of a phase. Returns the function to call at its end, however it ends. */
  startPhase: (phase: RenderPhase) => () => void;
  /** Called with the deadline of the document, in milliseconds from when it has its slot. */
  onDeadline: (ms: number) => void;
}

/** Runs a phase of a document, and returns its result. */
export async function runPhase<T>(
  watch: RenderWatch | undefined,
  phase: RenderPhase,
  run: () => Promise<T>,
): Promise<T> {
  const end = watch?.startPhase(phase);
  try {
    return await run();
  } finally {
    end?.();
  }
}

/**
 * Returns the parameters of Page.printToPDF, whose lengths are inches. A landscape sheet is given by its
 * swapped sides: Chromium ignores its own `landscape` as soon as an @page rule has a size.
 */
export function toPrintParameters(
  request: PdfRequest,
  templates: PrintTemplates | null,
): Protocol.Page.PrintToPDFRequest {
  const { width, height } = request.sheet ?? DEFAULT_SHEET;
  const inches = (side: keyof typeof DEFAULT_MARGINS): number =>
    (request.margins[side] ?? DEFAULT_MARGINS[side]) / PIXELS_PER_INCH;
  return {
    paperWidth: width / PIXELS_PER_INCH,
    paperHeight: height / PIXELS_PER_INCH,
    marginTop: inches('top'),
    marginBottom: inches('bottom'),
    marginLeft: inches('left'),
    marginRight: inches('right'),
    scale: request.scale,
    printBackground: request.printBackground,
    preferCSSPageSize: request.sheet === null,
    displayHeaderFooter: templates !== null,
    generateTaggedPDF: request.tagged || request.outline,
    generateDocumentOutline: request.outline,
    transferMode: 'ReturnAsBase64',
    ...templates,
    ...(request.pageRanges === null ? {} : { pageRanges: request.pageRanges }),
  };
}
