import type { RequestLine, RequestLevel, RequestLog } from './log/request-log.ts';
import type { Metrics, Tally } from './metrics/open-metrics.ts';
import type { RequestSpan, RequestStart, Tracing } from './tracing/tracing.ts';

/** A request whose response ended. */
export interface EndedRequest {
  /** The operationId; `health`, `mcp`, `dashboard`, or `none` if the path or the method is unknown. */
  operation: string;
  /** 499 if the client disconnected before the whole response was written. */
  status: number;
  /** From the head of the request to the end of the response. */
  ms: number;
}

/** Observes all requests: their line in the log, their metrics and their span. No method throws. */
export interface RequestObserver {
  /** Starts the span of a request; null if nothing is traced. */
  startSpan: ((start: RequestStart) => RequestSpan) | null;
  /** Called one time for each request, before its response is sent, or at the end of a stream. */
  onResponse: (level: RequestLevel, request: RequestLine, span: RequestSpan | null) => void;
  /** The HTTP parser refused what a client sent, and it got a response. */
  onMalformed: (request: RequestLine) => void;
  /** Measures how long responses take to be sent; null if nothing is measured. */
  meter: RequestMeter | null;
}

/** Counts requests from their start to the end of their response. */
export interface RequestMeter {
  onStart: () => void;
  /** Called one time for each start. */
  onEnd: (request: EndedRequest) => void;
}

/** The counts of requests, which are copied to the metrics at each scrape. */
export interface RequestTallies {
  requests: Tally<string, number>;
  /** Requests whose response has not ended. */
  inFlight: number;
}

interface RequestObserverParts {
  log: RequestLog;
  tracing: Pick<Tracing, 'startRequest'>;
  /** Null without METRICS_PORT. */
  measured: { metrics: Metrics; tallies: RequestTallies } | null;
}

/** Creates the one observer of requests. */
export function createRequestObserver({ log, tracing, measured }: RequestObserverParts): RequestObserver {
  return {
    startSpan: tracing.startRequest,
    onResponse(level, request, span) {
      const { requestId, method, route, status, error } = request;
      span?.end({ requestId, method: method ?? '', route, status, error });
      log.write(level, request);
    },
    onMalformed(request) {
      measured?.tallies.requests.add('none', request.status);
      log.write('info', request);
    },
    meter: measured && createMeter(measured.metrics, measured.tallies),
  };
}

function createMeter(metrics: Metrics, tallies: RequestTallies): RequestMeter {
  // One for each pair of labels: to find a child by its labels costs more than to observe.
  const durations = new Map<string, { observe(seconds: number): void }>();
  return {
    onStart() {
      tallies.inFlight += 1;
    },
    onEnd({ operation, status, ms }) {
      tallies.inFlight -= 1;
      tallies.requests.add(operation, status);
      const statusClass = status === 429 ? '429' : `${Math.floor(status / 100)}xx`;
      const key = operation + statusClass;
      let duration = durations.get(key);
      if (duration === undefined)
        durations.set(key, (duration = metrics.requestDuration.labels(operation, statusClass)));
      duration.observe(ms / 1000);
    },
  };
}
