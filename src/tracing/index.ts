/**
 * Traces: spans of requests and of the work in them, sent to a collector by OpenTelemetry. Its packages are
 * loaded only if a collector is configured. No span holds what a client sent.
 */
export { NO_TRACING, openTracing, type TracingOptions } from './open-tracing.ts';
export type { RequestSpan, Trace, Tracing } from './tracing.ts';
