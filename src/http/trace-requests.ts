/** The spans of requests. */
import type { Tracing } from '#telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Starts a span for each request. What its later hooks and its route begin belongs to it. */
export function traceRequests(app: FastifyInstance, { startRequest }: Pick<Tracing, 'startRequest'>): void {
  app.decorateRequest('span', null);
  if (startRequest === null) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, startedAtMs } = request;
    const ageMs = performance.now() - startedAtMs;
    request.span = startRequest({ method, traceparent: findTraceParent(request), ageMs });
    request.span.run(done);
  });
}

/**
 * Returns the trace that a proxy has begun. Only a proxy of TRUST_PROXY is believed: any other client could
 * have all of its requests traced, or write into traces that are not its own.
 */
function findTraceParent({ headers, ips }: FastifyRequest): string | undefined {
  const isTrusted = ips !== undefined && ips.length > 1;
  const { traceparent } = headers;
  return isTrusted && typeof traceparent === 'string' ? traceparent : undefined;
}
