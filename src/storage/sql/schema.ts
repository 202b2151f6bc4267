import type { Generated } from 'kysely';

/**
 * The tables: text ids, times as integer milliseconds since the epoch, booleans as 0 and 1, lists as JSON
 * text. The migrations create them; a change here needs a new migration.
 */
export interface Schema {
  accounts: AccountRow;
  api_keys: ApiKeyRow;
  key_changes: { id: number; revision: number };
  usage_counts: UsageCountRow;
  /** By hour. */
  usage_latencies: UsageLatencyRow;
  usage_day_latencies: UsageLatencyRow;
  usage_errors: UsageErrorRow;
  usage_months: UsageMonthRow;
  usage_requests: UsageRequestRow;
  quota_notices: QuotaNoticeRow;
  /** Batches of usage that PostgreSQL has stored and whose writer may not know it. */
  usage_batches: { id: string; at: number };
  sessions: SessionRow;
  credentials: CredentialRow;
  /** Sign-ins in progress: at a provider, or before the second factor. */
  verifications: VerificationRow;
  second_factors: SecondFactorRow;
  /** Codes of second factors that may not be used again. */
  used_codes: { account_id: string; code_hash: string; expires_at: number };
  links: LinkRow;
  audit_events: AuditEventRow;
  secrets: { name: string; value: string };
}

export interface AccountRow {
  id: string;
  email: string;
  name: string;
  email_verified: number;
  plan: string;
  admin: number;
  disabled: number;
  created_at: number;
  updated_at: number;
  /** 1 if sign-in asks for a second factor. */
  second_factor: Generated<number>;
  /** 1 if a sign-up without an invitation created the account, and no operator has changed it since. */
  self_made: Generated<number>;
  /** Days without use that were counted while the account is unproven, and when the last one was counted. */
  idle_days: Generated<number>;
  counted_at: number | null;
  /** When its keys were disabled, after a mail to its owner; of no effect once the account is proven. */
  keys_disabled_at: number | null;
}

export interface ApiKeyRow {
  id: string;
  account_id: string;
  limit_id: string;
  secret_hash: string;
  name: string;
  prefix: string;
  last_four: string;
  operations: string | null;
  client_cidrs: string | null;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  rotated_to: string | null;
}

export interface UsageCountRow {
  account_id: string;
  bucket_size: 'minute' | 'hour' | 'day';
  bucket_start: number;
  key_id: string;
  operation: string;
  status_class: '2xx' | '3xx' | '4xx' | '429' | '5xx';
  requests: number;
}

export interface UsageLatencyRow {
  account_id: string;
  bucket_start: number;
  operation: string;
  ms: number;
  requests: number;
}

export interface UsageRequestRow {
  id: string;
  account_id: string;
  key_id: string;
  operation: string;
  status: number;
  ms: number;
  request_id: string;
  at: number;
  error: string | null;
  param: string | null;
  route: string | null;
  timeout_ms: number | null;
  units: number | null;
  limit_per_minute: number | null;
  limit_remaining: number | null;
  failed_items: number | null;
  /** JSON: milliseconds by phase. */
  phases: string | null;
}

export interface UsageErrorRow {
  account_id: string;
  bucket_size: 'hour' | 'day';
  bucket_start: number;
  key_id: string;
  operation: string;
  error: string;
  requests: number;
}

export interface UsageMonthRow {
  account_id: string;
  month_start: number;
  operation: string;
  requests: number;
  errors: number;
  units: number;
}

export interface QuotaNoticeRow {
  account_id: string;
  month_start: number;
  percent: number;
  at: number;
}

export interface SessionRow {
  id: string;
  account_id: string;
  token_hash: string;
  ip_address: string | null;
  user_agent: string | null;
  expires_at: number;
  created_at: number;
  updated_at: number;
}

export interface CredentialRow {
  id: string;
  account_id: string;
  provider_id: string;
  provider_account_id: string;
  password_hash: string | null;
  created_at: number;
  updated_at: number;
}

export interface VerificationRow {
  id: string;
  identifier: string;
  value: string;
  expires_at: number;
  created_at: number;
  updated_at: number;
}

export interface SecondFactorRow {
  id: string;
  account_id: string;
  /** Encrypted by better-auth. */
  secret: string;
  /** The digests of the codes that are left, as a JSON list. */
  recovery_codes: string;
  confirmed: number;
  /** Wrong codes since the last right one. */
  failures: number;
  locked_until: number | null;
}

export interface LinkRow {
  token_hash: string;
  purpose: 'invite' | 'reset' | 'setup' | 'verify';
  email: string | null;
  expires_at: number;
  created_at: number | null;
  created_by: string | null;
  used_at: number | null;
}

export interface AuditEventRow {
  id: string;
  account_id: string;
  event: string;
  detail: string;
  request_id: string | null;
  ip: string | null;
  at: number;
}
