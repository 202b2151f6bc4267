/** The overview of today as JSON. */
import { type Static, Type } from 'typebox';
import { nullable, strict } from '../schema.ts';
import { keyJson } from './account-json.ts';

const sums = { requests: Type.Integer(), errors: Type.Integer() };
const percentiles = { p50_ms: nullable('integer'), p95_ms: nullable('integer') };
const classes = { client_errors: Type.Integer(), server_errors: Type.Integer() };

export const overviewSchema = strict({
  /** Since midnight, UTC. */
  today: strict({ ...sums, ...classes, ...percentiles }),
  /** The day before until the same time of day. */
  day_before: strict({ ...sums, ...classes }),
  minute: strict({
    limit: Type.Integer(),
    used_max_key: Type.Integer(),
    /** The key that has used most of its limit; null if none was used. */
    key: Type.Union([strict({ id: Type.String(), name: Type.String() }), Type.Null()]),
    resets_at: Type.String(),
    resets_in_seconds: Type.Integer(),
  }),
  /** 24 hours with the current one. */
  by_hour: Type.Array(
    strict({
      start: Type.String(),
      ...sums,
      operations: Type.Array(strict({ operation: Type.String(), requests: Type.Integer() })),
    }),
  ),
  /** Each operation that was called today or in these hours. */
  operations: Type.Array(
    strict({
      operation: Type.String(),
      ...sums,
      ...percentiles,
      /** Requests of each of the 24 hours. */
      by_hour: Type.Array(Type.Integer()),
    }),
  ),
  /** The most frequent errors of today. */
  errors: Type.Array(
    strict({
      error: Type.String(),
      status: Type.Integer(),
      operation: Type.String(),
      requests: Type.Integer(),
    }),
  ),
  /** The number of keys that can be used, and the keys with the most requests today. */
  keys: strict({
    active: Type.Integer(),
    top: Type.Array(strict({ ...keyJson.properties, requests: Type.Integer() })),
  }),
  first_key: Type.Union([keyJson, Type.Null()]),
});
export type Overview = Static<typeof overviewSchema>;
