import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The state of one part. `reason` says why it does not work, without internal details. */
export interface ReadyPart {
  ok: boolean;
  required: boolean;
  reason?: string;
  /** For operators: versions and defenses, which help strangers to choose an attack. */
  facts?: Record<string, unknown>;
  [detail: string]: unknown;
}

export interface HealthDeps {
  /** Returns the state of every part. Without a `required` part the service is not ready. */
  readParts: () => Promise<Record<string, ReadyPart>>;
  isDraining: () => boolean;
  /** The bearer token of the command line of operators. */
  operatorSecret?: string;
}

/** Returns the state of the service and of its parts. Concurrent calls of `readParts` share one run. */
export function createReadinessReader({ readParts, isDraining }: HealthDeps) {
  const read = shareRunning(readParts);
  return async (isOperator: boolean): Promise<{ status: string; parts: Record<string, object> }> => {
    const parts = await read();
    const missing = Object.values(parts).some((part) => part.required && !part.ok);
    const shown = Object.entries(parts).map(([name, { facts, ...part }]) => [
      name,
      isOperator ? { ...part, ...facts } : part,
    ]);
    const status = isDraining() ? 'draining' : missing ? 'unavailable' : 'ready';
    return { status, parts: Object.fromEntries(shown) as Record<string, object> };
  };
}

/**
 * Adds GET /healthz (the process responds) and GET /readyz (503 while it drains or a required part fails).
 */
export function routeHealth(app: FastifyInstance, deps: HealthDeps): void {
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  const readReadiness = createReadinessReader(deps);
  app.get('/readyz', hidden, async (request, reply) => {
    const readiness = await readReadiness(isOperator(request, deps));
    return reply
      .code(readiness.status === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(readiness);
  });
}

function isOperator({ headers }: FastifyRequest, { operatorSecret }: HealthDeps): boolean {
  const [sent, own] = [headers.authorization ?? '', `Bearer ${operatorSecret}`].map((text) =>
    hash('sha256', text, 'buffer'),
  ) as [Buffer, Buffer];
  return operatorSecret !== undefined && timingSafeEqual(sent, own);
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
