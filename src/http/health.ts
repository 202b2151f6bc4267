import type { FastifyInstance } from 'fastify';

/** The state of one part. `reason` says why it does not work, without internal details. */
export interface PartState {
  ok: boolean;
  reason?: string;
  [detail: string]: unknown;
}

export interface HealthDeps {
  /** Returns the state of every part. Without a `required` part the service is not ready. */
  readParts: () => Promise<Record<string, PartState & { required: boolean }>>;
  isDraining: () => boolean;
}

/**
 * Adds GET /healthz (the process responds) and GET /readyz (503 while it drains or a required part fails).
 */
export function routeHealth(app: FastifyInstance, deps: HealthDeps): void {
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  const readParts = shareRunning(deps.readParts);
  app.get('/readyz', hidden, async (_request, reply) => {
    const parts = await readParts();
    const missing = Object.values(parts).some((part) => part.required && !part.ok);
    const status = deps.isDraining() ? 'draining' : missing ? 'unavailable' : 'ready';
    return reply
      .code(status === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, parts });
  });
}

/**
 * Returns a function whose concurrent calls share one run. Probes need no key: with a query each, a flood
 * of them would keep the lookups of keys from the database.
 */
function shareRunning<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };
}
