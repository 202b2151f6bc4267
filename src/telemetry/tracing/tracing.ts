/** Runs work in a span, and returns its promise. The span ends when the promise settles. */
export type Trace = <T>(name: string, run: () => Promise<T>) => Promise<T>;

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
  /** Traces a wait that is longer than a turn of the event loop, within a request. */
  traceWait: Trace;
  /** Returns `object` with a span for each call of its methods, all of which return promises. */
  traceCalls: <T extends object>(part: string, object: T) => T;
  /** The same with `traceWait`: for methods that often have their result in memory. */
  traceCallWaits: <T extends object>(part: string, object: T) => T;
  /** Sends the last spans, for a second at most. */
  close: () => Promise<void>;
}

export interface TracingOptions {
  /** The URL to which spans are posted. */
  url: string;
  /** The part of the traces that is kept, from 0 to 1. */
  samplerRatio: number;
  log: (level: 'warn' | 'info', message: string, facts: object) => void;
}
