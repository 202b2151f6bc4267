import { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DISCONNECTED_STATUS } from './wire/disconnection.ts';

/** A request whose response ended. */
export interface ObservedRequest {
  /** The operationId; `health`, `mcp`, `dashboard`, or `none` if the path or the method is unknown. */
  operation: string;
  /** 499 if the client disconnected before the whole response was written. */
  status: number;
  /** From the head of the request to the end of the response. */
  ms: number;
}

/** Observes all requests. Must not throw. */
export interface RequestObserver {
  onStart(): void;
  /** Called one time for each start. */
  onEnd(request: ObservedRequest): void;
  /** The HTTP parser refused what a client sent. */
  onMalformed(status: number): void;
}

/** The names of routes that call no operation themselves; all others belong to the dashboard. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['/healthz', 'health'],
  ['/readyz', 'health'],
  ['/mcp', 'mcp'],
]);

/** Adds the hook that observes requests, before all other hooks. */
export function observeRequests(app: FastifyInstance, observer: RequestObserver): void {
  app.addHook('onRequest', (request, reply, done) => {
    const startedAtMs = performance.now();
    observer.onStart();
    // Not `onResponse`: it is not called if the client disconnects first.
    reply.raw.once('close', () => {
      const status = isSent(request, reply) ? reply.raw.statusCode : DISCONNECTED_STATUS;
      observer.onEnd({ operation: findOperation(request), status, ms: performance.now() - startedAtMs });
    });
    done();
  });
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
