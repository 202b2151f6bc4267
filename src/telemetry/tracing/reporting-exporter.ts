import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

export type ExportLog = (level: 'warn' | 'info', message: string, facts: object) => void;

type Done = Parameters<SpanExporter['export']>[1];

/** An exporter that logs when it fails for the first time, and when it works again. */
export class ReportingExporter implements SpanExporter {
  readonly #inner: SpanExporter;
  readonly #log: ExportLog;
  #lostSpans = 0;

  constructor(inner: SpanExporter, log: ExportLog) {
    this.#inner = inner;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: Done): void {
    this.#inner.export(spans, (result) => {
      if (result.error !== undefined) this.#reportLoss(spans.length, result.error);
      else if (this.#lostSpans > 0) this.#reportRecovery();
      done(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.#inner.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.#inner.shutdown();
  }

  #reportLoss(spans: number, err: unknown): void {
    if (this.#lostSpans === 0) this.#log('warn', 'the collector of traces does not accept spans', { err });
    this.#lostSpans += spans;
  }

  #reportRecovery(): void {
    this.#log('info', 'the collector of traces accepts spans again', { lostSpans: this.#lostSpans });
    this.#lostSpans = 0;
  }
}
