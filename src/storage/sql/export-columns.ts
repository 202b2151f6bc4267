/** The columns that the holder of an account downloads. */
import type { Schema } from './schema.ts';

/** The form of a column: times as ISO 8601, flags as booleans, lists and objects from their JSON text. */
export type ColumnKind = 'text' | 'number' | 'time' | 'flag' | 'json';

type Columns<Table extends keyof Schema> = Partial<Record<keyof Schema[Table], ColumnKind>>;

/**
 * The exported columns of each table; null for tables without data of accounts. Left out are the account's
 * id, which the section `accounts` has, and digests of secrets. A new table needs a row here.
 */
export const EXPORTED_COLUMNS: { readonly [Table in keyof Schema]: Columns<Table> | null } = {
  accounts: {
    id: 'text',
    email: 'text',
    name: 'text',
    email_verified: 'flag',
    plan: 'text',
    admin: 'flag',
    disabled: 'flag',
    created_at: 'time',
    updated_at: 'time',
  },
  credentials: {
    id: 'text',
    provider_id: 'text',
    provider_account_id: 'text',
    created_at: 'time',
    updated_at: 'time',
  },
  sessions: {
    id: 'text',
    ip_address: 'text',
    user_agent: 'text',
    expires_at: 'time',
    created_at: 'time',
    updated_at: 'time',
  },
  api_keys: {
    id: 'text',
    limit_id: 'text',
    name: 'text',
    prefix: 'text',
    last_four: 'text',
    operations: 'json',
    client_cidrs: 'json',
    created_at: 'time',
    last_used_at: 'time',
    expires_at: 'time',
    revoked_at: 'time',
    rotated_to: 'text',
  },
  // Invitations of an administrator belong to the invited address. `created_by` is another account's id.
  links: { purpose: 'text', email: 'text', expires_at: 'time', created_at: 'time', used_at: 'time' },
  audit_events: { id: 'text', event: 'text', detail: 'text', request_id: 'text', ip: 'text', at: 'time' },
  usage_counts: {
    bucket_size: 'text',
    bucket_start: 'time',
    key_id: 'text',
    operation: 'text',
    status_class: 'text',
    requests: 'number',
  },
  usage_latencies: { bucket_start: 'time', operation: 'text', ms: 'number', requests: 'number' },
  usage_day_latencies: { bucket_start: 'time', operation: 'text', ms: 'number', requests: 'number' },
  usage_errors: {
    bucket_size: 'text',
    bucket_start: 'time',
    key_id: 'text',
    operation: 'text',
    error: 'text',
    requests: 'number',
  },
  usage_months: {
    month_start: 'time',
    operation: 'text',
    requests: 'number',
    errors: 'number',
    units: 'number',
  },
  usage_requests: {
    id: 'text',
    key_id: 'text',
    operation: 'text',
    status: 'number',
    ms: 'number',
    request_id: 'text',
    at: 'time',
    error: 'text',
    param: 'text',
    route: 'text',
    timeout_ms: 'number',
    units: 'number',
    limit_per_minute: 'number',
    limit_remaining: 'number',
    failed_items: 'number',
    phases: 'json',
  },
  second_factors: { confirmed: 'flag', failures: 'number', locked_until: 'time' },
  key_changes: null,
  secrets: null,
  usage_batches: null,
  // Digests of codes that were used in the last minutes.
  used_codes: null,
  // No part of the service writes to it.
  verifications: null,
};
