import type { Tracing, TracingOptions } from './tracing.ts';

/** Traces nothing. */
export const NO_TRACING: Tracing = {
  startRequest: null,
  trace: (_name, run) => run(),
  traceWait: (_name, run) => run(),
  traceCalls: (_part, object) => object,
  traceCallWaits: (_part, object) => object,
  close: async () => {},
};

/** The place where spans are sent, and the part that is kept. */
export interface CollectorSettings extends Omit<TracingOptions, 'url'> {
  /** The URL of the collector; null if nothing is traced. */
  collector: string | null;
}

/** Starts tracing if a collector is set. Without one no package of OpenTelemetry is loaded. */
export async function openTracing({ collector, ...options }: CollectorSettings): Promise<Tracing> {
  if (collector === null) return NO_TRACING;
  const facts = { collector: new URL(collector).host, ratio: options.samplerRatio };
  options.log('info', 'requests are traced', facts);
  const { openCollectorTracing } = await import('./otel-tracing.ts');
  const url = `${collector.replace(/\/$/, '')}/v1/traces`;
  return openCollectorTracing({ ...options, url });
}
