import type { CollectorOptions } from './otel-tracing.ts';

/** Runs work in a span, and returns its result. The span ends when the result is there. */
export type Trace = <T>(name: string, run: () => T) => T;

/** The head of a request. */
export interface RequestStart {
  method: string;
  /** The W3C header of a proxy that is trusted. */
  traceparent: string | undefined;
  /** Milliseconds since the request began. */
  ageMs: number;
}

/** The outcome of a request. */
interface RequestEnd {
  requestId: string;
  method: string;
  /** The pattern of the route, `unknown` if there is none. */
  route: string;
  status: number;
  error: string | undefined;
}

/** The span of one request. */
export interface RequestSpan {
  /** Calls `run` so that the work that it begins belongs to the request. */
  run: (run: () => void) => void;
  end: (facts: RequestEnd) => void;
}

export interface Tracing {
  /** Null if nothing is traced. */
  startRequest: ((start: RequestStart) => RequestSpan) | null;
  /** Traces work that may begin further work. */
  trace: Trace;
  /** Traces a wait: only results that are promises, and only within a request. */
  traceWait: Trace;
  /** Returns `object` with a span for each call of a method that has to wait. */
  traceCalls: <T extends object>(part: string, object: T) => T;
  /** Sends the last spans, for a second at most. */
  close: () => Promise<void>;
}

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
