import type { FastifyInstance } from 'fastify';

/** The state of one part: whether it works, and where not, why, in a sentence that names nothing internal. */
export interface PartState {
  ok: boolean;
  reason?: string;
  [detail: string]: unknown;
}

export interface HealthDeps {
  /**
   * The state of every part; `required` parts make the service not ready, the others only cost their
   * operation.
   */
  readParts: () => Promise<Record<string, PartState & { required: boolean }>>;
  isDraining: () => boolean;
}

/**
 * GET /healthz: the process answers. GET /readyz: it can do its work; 503 while it drains or a required part
 * is missing.
 */
export function routeHealth(app: FastifyInstance, deps: HealthDeps): void {
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', hidden, async (_request, reply) => {
    const parts = await deps.readParts();
    const missing = Object.values(parts).some((part) => part.required && !part.ok);
    const status = deps.isDraining() ? 'draining' : missing ? 'unavailable' : 'ready';
    return reply
      .code(status === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, parts });
  });
}
