/** Lines of the request log as JSON and as CSV. */
import type { LoggedRequest, Phase } from '#usage';
import { type Static, Type } from 'typebox';
import { nullable, strict } from '../schema.ts';
import { formatTime } from './account-json.ts';
import { formatCsv } from './usage-table.ts';

/** In the order in which they happen. */
const PHASES = [
  'queue',
  'dns',
  'connect',
  'first_byte',
  'body',
  'render',
  'load',
  'print',
] as const satisfies readonly Phase[];

/** A member is null if it does not apply or is not known. */
export const loggedRequest = strict({
  id: Type.String(),
  at: Type.String(),
  operation: Type.String(),
  status: Type.Integer(),
  ms: Type.Integer(),
  key_id: Type.String(),
  key_name: Type.String(),
  request_id: Type.String(),
  error: nullable('string'),
  param: nullable('string'),
  method: nullable('string'),
  path: nullable('string'),
  timeout_ms: nullable('integer'),
  units: nullable('integer'),
  limit_per_minute: nullable('integer'),
  limit_remaining: nullable('integer'),
  failed_items: nullable('integer'),
  /** Milliseconds by phase, in the order in which the phases happen. */
  phases: Type.Array(strict({ phase: Type.Enum([...PHASES]), ms: Type.Integer() })),
});
export type LogLine = Static<typeof loggedRequest>;

export function toLogLine(line: LoggedRequest, keyNames: ReadonlyMap<string, string>): LogLine {
  const [method = null, path = null] = line.route?.split(' ') ?? [];
  return {
    id: line.id,
    at: formatTime(line.atMs),
    operation: line.operation,
    status: line.status,
    ms: line.ms,
    key_id: line.keyId,
    key_name: keyNames.get(line.keyId) ?? '',
    request_id: line.requestId,
    error: line.error ?? null,
    param: line.param ?? null,
    method,
    path,
    timeout_ms: line.timeoutMs ?? null,
    units: line.units ?? null,
    limit_per_minute: line.limitPerMinute ?? null,
    limit_remaining: line.limitRemaining ?? null,
    failed_items: line.failedItems ?? null,
    phases: PHASES.flatMap((phase) => {
      const ms = line.phases?.[phase];
      return ms === undefined ? [] : [{ phase, ms }];
    }),
  };
}

const COLUMNS = [
  'at',
  'request_id',
  'operation',
  'method',
  'path',
  'status',
  'error',
  'param',
  'ms',
  'timeout_ms',
  'units',
  'limit_remaining',
  'failed_items',
  'key_id',
  'key_name',
] as const satisfies readonly (keyof LogLine)[];

/** Formats lines as CSV, with a column per phase. */
export function formatLogCsv(lines: readonly LogLine[]): string {
  const head = [...COLUMNS, ...PHASES.map((phase) => `${phase}_ms`)];
  const rows = lines.map((line) => [
    ...COLUMNS.map((column) => String(line[column] ?? '')),
    ...PHASES.map((name) => String(line.phases.find(({ phase }) => phase === name)?.ms ?? '')),
  ]);
  return formatCsv([head, ...rows]);
}
