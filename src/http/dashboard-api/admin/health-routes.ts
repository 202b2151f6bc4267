import { type Static, Type } from 'typebox';
import { nullable, strict } from '../../schema.ts';
import type { AccountDeps, SystemHealth } from '../account-deps.ts';
import { formatTime, formatTimeOrNull } from '../account-json.ts';
import type { AccountScope } from '../account-scope.ts';
import { ADMINISTRATORS } from '../guard-request.ts';

const part = { ok: Type.Boolean(), reason: nullable('string') };

const orNull = <T extends ReturnType<typeof strict>>(schema: T) => Type.Union([schema, Type.Null()]);

const parts = strict({
  database: strict({ ...part, kind: Type.Enum(['SQLite', 'PostgreSQL']), bytes: nullable('integer') }),
  redis: orNull(strict({ ...part, replicas: Type.Integer() })),
  browser: orNull(
    strict({
      ...part,
      version: nullable('string'),
      sandbox: Type.Boolean(),
      network: Type.String(),
      slots: Type.Integer(),
      busy: Type.Integer(),
      queued: Type.Integer(),
    }),
  ),
  dns: strict({ servers: Type.Array(Type.String()) }),
  mail: strict({ configured: Type.Boolean() }),
  lists: strict({
    lists: Type.Integer(),
    failed: Type.Integer(),
    entries: Type.Integer(),
    refreshed_at: nullable('string'),
  }),
  usage: strict({
    unwritten_since: nullable('string'),
    buffered_rows: Type.Integer(),
    lost_rows: Type.Integer(),
  }),
  log: strict({ dropped_lines: Type.Integer() }),
});

const health = strict({
  status: Type.Enum(['ready', 'unavailable', 'draining']),
  version: Type.String(),
  node_version: Type.String(),
  started_at: Type.String(),
  uptime_seconds: Type.Integer(),
  memory_bytes: Type.Integer(),
  uncaught_errors: Type.Integer(),
  event_loop: strict({ p50_ms: Type.Number(), p99_ms: Type.Number(), max_ms: Type.Number() }),
  parts,
  queues: Type.Array(
    strict({
      kind: Type.String(),
      capacity: Type.Integer(),
      held: Type.Integer(),
      queued: Type.Integer(),
    }),
  ),
});

/** Adds the endpoint of the health of every part of the process that answers. It has no secrets. */
export function routeSystemHealth(scope: AccountScope, { loadHealth, now }: AccountDeps): void {
  scope.get('/admin/health', {
    config: ADMINISTRATORS,
    schema: { response: { 200: health } },
    handler: async () => toHealthJson(await loadHealth(), now()),
  });
}

function toHealthJson(state: SystemHealth, nowMs: number): Static<typeof health> {
  const { eventLoop } = state;
  return {
    status: state.status,
    version: state.version,
    node_version: state.nodeVersion,
    started_at: formatTime(state.startedAtMs),
    uptime_seconds: Math.max(0, Math.floor((nowMs - state.startedAtMs) / 1000)),
    memory_bytes: state.memoryBytes,
    uncaught_errors: state.uncaughtErrors,
    event_loop: { p50_ms: eventLoop.p50Ms, p99_ms: eventLoop.p99Ms, max_ms: eventLoop.maxMs },
    parts: toPartsJson(state),
    queues: [...state.queues],
  };
}

function toPartsJson(state: SystemHealth): Static<typeof parts> {
  const { lists, usage } = state;
  return {
    database: state.database,
    redis: state.redis,
    browser: state.browser,
    dns: { servers: [...state.dns.servers] },
    mail: { configured: state.sendsMail },
    lists: {
      lists: lists.lists,
      failed: lists.failed,
      entries: lists.entries,
      refreshed_at: formatTimeOrNull(lists.refreshedAtMs),
    },
    usage: {
      unwritten_since: formatTimeOrNull(usage.unwrittenSinceMs),
      buffered_rows: usage.bufferedRows,
      lost_rows: usage.lostRows,
    },
    log: { dropped_lines: state.droppedLogLines },
  };
}
