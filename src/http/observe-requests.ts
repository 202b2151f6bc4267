/** Reports every request to the observer. What is reported holds no text that a client has sent. */
import { IncomingMessage } from 'node:http';
import type { ApiError } from '#errors';
import type { RequestLevel, RequestObserver, RequestSpan } from '#telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DISCONNECTED_STATUS, onResponseEnd } from './wire/disconnection.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The names of the fields of all requests. */
    fieldNames: FieldNames;
  }
  interface FastifyRequest {
    /** Null if nothing is traced. */
    span: RequestSpan | null;
    /** `streaming` until the end of a response that is sent in parts. */
    isLogged: boolean | 'streaming';
  }
}

/** The names of parameters and members in the schemas of the routes. */
class FieldNames {
  readonly #names = new Set<string>();

  add(schema: unknown): void {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties') for (const name of Object.keys(value as object)) this.#names.add(name);
      // Members of a response are no fields of a request.
      if (key !== 'response') this.add(value);
    }
  }

  /** Returns a field such as `emails[3].address`; `unknown` if a part of it was made up by the client. */
  find(field: string | undefined): string | undefined {
    if (field === undefined) return undefined;
    const parts = field.split(/[.[\]]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
    return parts.every((part) => this.#names.has(part)) ? field : 'unknown';
  }
}

/** The names of routes that call no operation themselves; all others belong to the dashboard. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['/healthz', 'health'],
  ['/readyz', 'health'],
  ['/mcp', 'mcp'],
]);
/** Probes come every few seconds. Changes of what they report are logged by the parts. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Measures a request until its response has ended. */
export function meterRequest(
  meter: NonNullable<RequestObserver['meter']>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  meter.onStart();
  // Not `onResponse`: it is not called if the client disconnects first.
  reply.raw.once('close', () => {
    const status = isSent(request, reply) ? reply.raw.statusCode : DISCONNECTED_STATUS;
    meter.onEnd({ operation: findOperation(request), status, ms: performance.now() - request.startedAtMs });
  });
}

/** Calls `run`, whose work belongs to the span of the request if requests are traced. */
export function runInSpan({ startSpan }: RequestObserver, request: FastifyRequest, run: () => void): void {
  if (startSpan === null) return run();
  const { method, startedAtMs } = request;
  const ageMs = performance.now() - startedAtMs;
  request.span = startSpan({ method, traceparent: findTraceParent(request), ageMs });
  request.span.run(run);
}

/**
 * Adds the hook that reports every response, and collects the names of fields from the routes added later.
 */
export function reportResponses(app: FastifyInstance, observer: RequestObserver): void {
  const names = new FieldNames();
  app.decorate('fieldNames', names);
  app.decorateRequest('routePattern', undefined);
  app.decorateRequest('failure', null);
  app.decorateRequest('isLogged', false);
  app.decorateRequest('span', null);
  app.addHook('onRoute', ({ schema }) => names.add(schema));
  // Before the response is sent, not after: a listener for its end costs more than the line in the log.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (hasDisconnected(request, reply) && !reply.raw.headersSent) {
      reply.code(DISCONNECTED_STATUS);
      request.failure = null;
    }
    if (request.isLogged) return done();
    request.isLogged = isStream(payload) ? 'streaming' : true;
    const { statusCode: status } = reply;
    if (request.isLogged === true) report(observer, names, request, status, status === DISCONNECTED_STATUS);
    else
      onResponseEnd(reply.raw, (isDisconnected) => {
        // A response finishes and then closes.
        if (request.isLogged === 'streaming') report(observer, names, request, status, isDisconnected);
        request.isLogged = true;
      });
    done();
  });
}

function report(
  observer: RequestObserver,
  names: FieldNames,
  request: FastifyRequest,
  status: number,
  isDisconnected: boolean,
): void {
  const { failure } = request;
  const route = request.routePattern ?? request.routeOptions.url ?? 'unknown';
  const level = findLevel(status, failure?.code);
  observer.onResponse(
    PROBES.has(route) ? 'debug' : level,
    {
      requestId: request.id,
      method: request.method,
      route,
      status,
      ms: performance.now() - request.startedAtMs,
      keyId: request.caller?.keyId,
      error: failure?.code,
      cause: findCause(failure),
      param: names.find(failure?.param),
      isDisconnected: isDisconnected || undefined,
      err: level === 'info' ? undefined : (failure?.cause ?? failure ?? undefined),
    },
    request.span,
  );
}

/** Returns the code of a connection, of DNS or of the guard: `unreachable` says the same for each of them. */
function findCause(failure: ApiError | null): string | undefined {
  const { code } = ((failure?.code === 'unreachable' && failure.cause) || {}) as { code?: unknown };
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : undefined;
}

/** A failure of the service is logged with its cause: `internal` as an error, all others as warnings. */
function findLevel(status: number, error: string | undefined): RequestLevel {
  if (error === 'internal') return 'error';
  return status >= 500 && error !== undefined ? 'warn' : 'info';
}

function hasDisconnected({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  // After a body that broke off, the socket is destroyed before the response.
  return reply.raw.destroyed || raw.socket.destroyed;
}

function isStream(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload;
}

function isSent({ raw: request }: FastifyRequest, { raw: response }: FastifyReply): boolean {
  // The response of an injected request is never sent: it closes when it is complete.
  return request instanceof IncomingMessage ? response.writableFinished : response.writableEnded;
}

/** Returns a name of a fixed set: nothing that a client sends is part of it. */
function findOperation(request: FastifyRequest): string {
  const { operation, isBatch } = request;
  // Of admitted requests it is known: Fastify builds routeOptions at each access, for several microseconds.
  if (operation !== undefined) return isBatch ? `${operation}Batch` : operation;
  if (request.is404) return 'none';
  const { config, schema, url = '' } = request.routeOptions;
  if (config.operation !== undefined) return schema?.operationId ?? config.operation;
  return NAMES.get(url) ?? 'dashboard';
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
