import type { BrowserKeeper, OpenResourceFetcher } from '#browser';
import type { PdfRequest } from './pdf-request.ts';
import type { TemplateThreads } from './liquid/template-threads.ts';
import type { TemplateHeights } from './print/check-templates.ts';
import type { KnownGlyphs } from './warnings/glyph-check.ts';
import type { DocumentWorker } from './worker/document-worker.ts';

export interface GeneratedPdf {
  pdf: Uint8Array;
  pages: number;
  /**
   * `static`: every document loads and runs nothing; `warm`: one had scripts or resources. For logs and
   * metrics.
   */
  lane: 'static' | 'warm';
  /** The faults of the PDF, a sentence each: printable ASCII, at most 200 characters. */
  warnings: string[];
}

/** The options of an engine that renders in the slots it is given. */
export interface PdfRenderOptions extends DeadlineLimits {
  openResourceFetcher: OpenResourceFetcher;
  /** Names the client of the fetcher; default: the account. */
  nameClient?: (caller: { accountId: string }) => string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The resident memory at which a renderer is killed, in MiB. */
  rendererMemoryMb: number;
  /** Bytes of all prints of one PDF together; default 192 MiB, as of one print. */
  maxPdfBytes?: number;
  /** Renders each document in a process of its own; default false. */
  processPerDocument?: boolean;
  /** Runs a part of the work in a span of a trace, and returns its result. */
  trace?: <T>(name: string, run: () => Promise<T>) => Promise<T>;
  /** Called at the end of each render that had a slot. Must not throw. */
  onRender?: ((render: RenderEnd) => void) | undefined;
}

/** The parts that all renders of an engine share. */
export interface EngineParts {
  /** Does the work on large documents. */
  worker: DocumentWorker;
  templateThreads: TemplateThreads;
  glyphs: KnownGlyphs;
  heights: TemplateHeights;
}

/** A request that has its slot, as each stage of the pipeline needs it. */
export interface PdfJob extends PdfRenderOptions, EngineParts {
  keeper: BrowserKeeper;
  keyId: string;
  /** The account, as shares at hosts and in the browser name it. */
  client: string;
  /** Aborts when the client disconnects, and when another account needs the slot. */
  signal: AbortSignal | undefined;
  watch: RenderWatch | undefined;
  deadline: JobDeadline;
  /** Set as soon as the texts of a document are loaded. */
  progress: { lane: RenderEnd['lane'] };
}

/** The end of a render. `undecided`: it failed before a lane was chosen. */
export interface RenderEnd {
  lane: GeneratedPdf['lane'] | 'undecided';
  /** Undefined if it succeeded. */
  error?: unknown;
  ms: number;
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
  { watch, deadline }: Pick<PdfJob, 'watch' | 'deadline'>,
  phase: Exclude<RenderPhase, 'queue'>,
  run: () => Promise<T>,
): Promise<T> {
  const end = watch?.startPhase(phase);
  deadline.startPhase(phase);
  try {
    return await run();
  } finally {
    deadline.endPhase();
    end?.();
  }
}

export interface DeadlineLimits {
  /** The longest time of a render, in milliseconds. */
  timeoutMs: number;
  /** The time of a small document, in milliseconds; default 10 s. */
  smallDocumentMs?: number;
}

const SMALL_DOCUMENT_MS = 10_000;
const BYTES_PER_SECOND = 250_000;
const FURTHER_DOCUMENT_MS = 1_000;
/** The part of a document's time in which its resources may arrive. */
const RESOURCE_SHARE = 0.75;

/**
 * Computes the time of a request: 10 s, 1 s per 250 kB of its documents, 1 s for each further document and
 * its `wait_for` time; with a selector or an expression, `timeoutMs`.
 */
export function computeDeadlineMs(
  request: PdfRequest,
  { timeoutMs, smallDocumentMs = SMALL_DOCUMENT_MS }: DeadlineLimits,
): number {
  const { waitFor, waitForExpression, moreDocuments } = request;
  if (waitForExpression !== null || (waitFor !== null && 'selector' in waitFor)) return timeoutMs;
  const waitMs = waitFor?.milliseconds ?? 0;
  const bytes = moreDocuments.reduce((sum, { htmlBytes }) => sum + htmlBytes, request.htmlBytes);
  const documentsMs = (bytes / BYTES_PER_SECOND) * 1000 + moreDocuments.length * FURTHER_DOCUMENT_MS;
  return Math.min(timeoutMs, smallDocumentMs + documentsMs + waitMs);
}

/**
 * Computes the deadline of resources, which is earlier: one that never arrives leaves a gap instead of a
 * timeout.
 */
export function computeResourceDeadlineMs(documentMs: number): number {
  return Math.max(0, Math.round(documentMs * RESOURCE_SHARE));
}

/** The deadline of a request, and the time that its phases took. */
export class JobDeadline {
  readonly #limits: DeadlineLimits;
  readonly #now: () => number;
  readonly #startedAt: number;
  #phases = { load: 0, print: 0 };
  /** The phase that is in progress, and its start. */
  #running: { phase: 'load' | 'print'; startedAt: number } | null = null;
  #ms = 0;

  constructor(request: PdfRequest, limits: DeadlineLimits & { now: () => number }) {
    this.#limits = limits;
    this.#now = limits.now;
    this.#startedAt = limits.now();
    this.set(request);
  }

  /** Milliseconds from the start of the job, without extensions. */
  get limitMs(): number {
    return this.#ms;
  }

  /** Milliseconds from the start of the job. */
  get elapsedMs(): number {
    return this.#now() - this.#startedAt;
  }

  get remainingMs(): number {
    return this.#ms - this.elapsedMs;
  }

  /** Milliseconds until the end of all extensions, which documents have whose pages are being laid out. */
  get longestRemainingMs(): number {
    return this.#limits.timeoutMs - this.elapsedMs;
  }

  /** The milliseconds that each phase has taken so far. */
  get phases(): Record<'load' | 'print', number> {
    const phases = { ...this.#phases };
    if (this.#running) phases[this.#running.phase] += this.#now() - this.#running.startedAt;
    return phases;
  }

  /** Sets the deadline of a request whose templates are filled: a short one can make a long document. */
  set(request: PdfRequest): void {
    this.#ms = computeDeadlineMs(request, this.#limits);
  }

  startPhase(phase: 'load' | 'print'): void {
    this.#running = { phase, startedAt: this.#now() };
  }

  endPhase(): void {
    this.#phases = this.phases;
    this.#running = null;
  }
}
