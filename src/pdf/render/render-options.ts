import type { OpenResourceFetcher } from '#browser';
import type { GeneratedPdf } from '../pdf-request.ts';
import type { KnownGlyphs } from '../warnings/known-glyphs.ts';
import type { TemplateThreads } from '../liquid/template-threads.ts';
import type { DocumentWorker } from '../worker/document-worker.ts';
import type { PdfSizeLimit } from './check-pdf-size.ts';
import type { DeadlineLimits } from './deadline.ts';
import type { RenderWatch } from './render-watch.ts';
import type { TemplateHeights } from './template-heights.ts';

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
  trace?: <T>(name: string, run: () => T) => T;
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
