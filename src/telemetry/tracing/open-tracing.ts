import { NO_TRACING, type Tracing, type TracingOptions } from './tracing.ts';

/** The standard settings of OpenTelemetry: OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_… */
export interface CollectorSettings extends Omit<TracingOptions, 'url'> {
  isDisabled: boolean;
  exporter: 'otlp' | 'none';
  endpoint: string | null;
  tracesEndpoint: string | null;
  /** As the exporter reads it from the environment; for the log. */
}

/** Starts tracing if a collector is set. Without one no package of OpenTelemetry is loaded. */
export async function openTracing(settings: CollectorSettings): Promise<Tracing> {
  const { sampler, log } = settings;
  const url = findCollector(settings);
  if (url === null) return NO_TRACING;
  log('info', 'requests are traced', { collector: new URL(url).host, sampler });
  const { openCollectorTracing } = await import('./otel-tracing.ts');
  return openCollectorTracing({ ...settings, url });
}

/** Returns the URL to which spans are posted; null if nothing is traced. */
function findCollector({ isDisabled, exporter, endpoint, tracesEndpoint }: CollectorSettings): string | null {
  if (isDisabled || exporter === 'none') return null;
  if (tracesEndpoint !== null || endpoint === null) return tracesEndpoint;
  return `${endpoint.replace(/\/$/, '')}/v1/traces`;
}
