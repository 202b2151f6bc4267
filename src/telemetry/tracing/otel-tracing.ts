import { AsyncLocalStorage } from 'node:async_hooks';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace as api,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import type { RequestSpan, RequestStart, Trace, Tracing, TracingOptions } from './tracing.ts';

type Done = Parameters<SpanExporter['export']>[1];

/** An exporter that logs when it fails for the first time, and when it works again. */
export class ReportingExporter implements SpanExporter {
  readonly #inner: SpanExporter;
  readonly #log: TracingOptions['log'];
  #lostSpans = 0;

  constructor(inner: SpanExporter, log: TracingOptions['log']) {
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

const CLOSE_MS = 1000;
const EXPORT_MS = 10_000;
/** https://www.w3.org/TR/trace-context/#traceparent-header, without ids that are all zeros */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/**
 * Opens tracing to a collector. The SDK reads the variables of its exporter (headers, certificates,
 * compression, timeout), OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES from the environment. While the
 * collector cannot be reached, 2,048 spans are kept and further ones are dropped.
 */
export function openCollectorTracing(options: TracingOptions): Tracing {
  const { url, samplerRatio, log } = options;
  const exporter = new ReportingExporter(new OTLPTraceExporter({ url }), log);
  const provider = new TracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplerRatio) }),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'utility-api' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS })],
  });
  const spans = new SpanScope(provider.getTracer('utility-api'));
  return {
    startRequest: (start) => spans.startRequest(start),
    trace: spans.trace,
    traceWait: spans.traceWait,
    traceCalls: (part, object) => traceCalls(spans.trace, part, object),
    traceCallWaits: (part, object) => traceCalls(spans.traceWait, part, object),
    close: () => Promise.race([provider.shutdown().catch(() => {}), waitMs(CLOSE_MS)]),
  };
}

/** The spans of one tracer, and which of them is the parent of work that begins now. */
class SpanScope {
  readonly #tracer: Tracer;
  readonly #current = new AsyncLocalStorage<Context>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  startRequest({ method, traceparent, ageMs }: RequestStart): RequestSpan {
    const startTime = performance.timeOrigin + performance.now() - ageMs;
    const options = { kind: SpanKind.SERVER, startTime };
    const span = this.#tracer.startSpan(method, options, parseParent(traceparent));
    const context = api.setSpan(ROOT_CONTEXT, span);
    return {
      run: (run) => this.#current.run(context, run),
      end({ requestId, route, status, error, method: name }) {
        span.updateName(route === 'unknown' ? name : `${name} ${route}`);
        span.setAttributes({
          'http.request.method': name,
          ...(route !== 'unknown' && { 'http.route': route }),
          'http.response.status_code': status,
          'utility_api.request_id': requestId,
          ...(error !== undefined && { 'error.type': error }),
        });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  readonly trace: Trace = (name, run) => {
    const parent = this.#current.getStore();
    if (parent === undefined) return run();
    const span = this.#tracer.startSpan(name, {}, parent);
    return endWith(span, () => this.#current.run(api.setSpan(parent, span), run));
  };

  readonly traceWait: Trace = (name, run) => {
    const parent = this.#current.getStore();
    if (parent === undefined) return run();
    const startTime = performance.timeOrigin + performance.now();
    const result = run();
    let span: Span | undefined;
    const start = setImmediate(() => (span = this.#tracer.startSpan(name, { startTime }, parent)));
    const end = (isFailed: boolean): void => {
      clearImmediate(start);
      // The error itself may repeat what a client sent.
      if (isFailed) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    };
    result.then(
      () => end(false),
      () => end(true),
    );
    return result;
  };
}

/** Ends a span when the promise of `run` settles. */
function endWith<T>(span: Span, run: () => Promise<T>): Promise<T> {
  const result = run();
  const fail = (): void => {
    // The error itself may repeat what a client sent.
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  result.then(() => span.end(), fail);
  return result;
}

function parseParent(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags ?? '', 16) & 1;
  return api.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Returns `object` with its methods traced as `part method`. */
function traceCalls<T extends object>(trace: Trace, part: string, object: T): T {
  return new Proxy(object, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      return (...args: unknown[]): unknown =>
        trace(`${part} ${name}`, () => Reflect.apply(member, target, args) as Promise<unknown>);
    },
  });
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
