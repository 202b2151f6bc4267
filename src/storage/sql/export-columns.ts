/** The columns that the holder of an account downloads. */
import type { Schema } from './schema.ts';

/** The form of a column: times as ISO 8601, flags as booleans, lists and objects from their JSON text. */
export type ColumnKind = 'text' | 'number' | 'time' | 'flag' | 'json';

type Columns<Table extends keyof Schema> = Readonly<Record<keyof Schema[Table], ColumnKind | null>>;

/**
 * The exported columns of each table; null for tables without data of accounts, and for columns that are left
 * out: the account's id, which the section `accounts` has, and secrets and their digests. A new column does
 * not compile without a decision.
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
    second_factor: 'flag',
    created_at: 'time',
    updated_at: 'time',
  },
  credentials: {
    id: 'text',
    account_id: null,
    password_hash: null,
    provider_id: 'text',
    provider_account_id: 'text',
    created_at: 'time',
    updated_at: 'time',
  },
  second_factors: {
    id: 'text',
    account_id: null,
    secret: null,
    recovery_codes: null,
    confirmed: 'flag',
    failures: 'number',
    locked_until: 'time',
  },
  used_codes: { account_id: null, code_hash: null, expires_at: 'time' },
  sessions: {
    id: 'text',
    account_id: null,
    token_hash: null,
    ip_address: 'text',
    user_agent: 'text',
    expires_at: 'time',
    created_at: 'time',
    updated_at: 'time',
  },
  api_keys: {
    id: 'text',
    account_id: null,
    secret_hash: null,
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
  links: {
    token_hash: null,
    purpose: 'text',
    email: 'text',
    expires_at: 'time',
    created_at: 'time',
    created_by: null,
    used_at: 'time',
  },
  audit_events: {
    id: 'text',
    account_id: null,
    event: 'text',
    detail: 'text',
    request_id: 'text',
    ip: 'text',
    at: 'time',
  },
  usage_counts: {
    account_id: null,
    bucket_size: 'text',
    bucket_start: 'time',
    key_id: 'text',
    operation: 'text',
    status_class: 'text',
    requests: 'number',
  },
  usage_latencies: {
    account_id: null,
    bucket_start: 'time',
    operation: 'text',
    ms: 'number',
    requests: 'number',
  },
  usage_requests: {
    id: 'text',
    account_id: null,
    key_id: 'text',
    operation: 'text',
    status: 'number',
    ms: 'number',
    request_id: 'text',
    at: 'time',
  },
  key_changes: null,
  secrets: null,
  usage_batches: null,
  // Sign-ins that wait for a second step or for the provider, for minutes.
  verifications: null,
};
