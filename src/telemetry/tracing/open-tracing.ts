import type { CollectorOptions } from './otel-tracing.ts';
import type { Tracing } from './tracing.ts';

export interface TracingOptions extends Omit<CollectorOptions, 'url'> {
  /** The URL to which spans are posted; null turns tracing off. */
  url: string | null;
}

/** Traces nothing. */
export const NO_TRACING: Tracing = {
  startRequest: null,
  trace: (_name, run) => run(),
  traceWait: (_name, run) => run(),
  traceCalls: (_part, object) => object,
  close: async () => {},
};

/** Starts tracing. Without a collector no package of OpenTelemetry is loaded. */
export async function openTracing({ url, ...options }: TracingOptions): Promise<Tracing> {
  if (url === null) return NO_TRACING;
  const { openCollectorTracing } = await import('./otel-tracing.ts');
  return openCollectorTracing({ url, ...options });
}
