/** The shapes of the service's /account API, as they travel: snake_case, times as ISO 8601 strings in UTC. */

/** The three operations; the one name each has everywhere. */
export type Operation = 'validateEmail' | 'getMetadata' | 'generatePdf';

/** The hundreds of an HTTP status, as usage is counted. */
export type StatusClass = '2xx' | '4xx' | '5xx';

export interface Account {
  id: string;
  email: string;
  email_verified: boolean;
  plan: string;
  admin: boolean;
  created_at: string;
}

export interface Session {
  account: Account | null;
  signups: 'open' | 'invite' | 'closed';
  /** Whether the service can send mail; without it, links are in its log. */
  mail: boolean;
  /** Whether there is no admin yet, so that the one-time set-up link works. */
  setup_needed: boolean;
}

export interface Key {
  id: string;
  name: string;
  prefix: string;
  last_four: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  status: 'active' | 'expiring' | 'expired' | 'revoked';
  operations: Operation[] | null;
  client_cidrs: string[] | null;
  rotated_to: string | null;
}

/** A key with its secret, which the service tells only once. */
export interface CreatedKey {
  key: Key;
  secret: string;
}

/** A key that replaces another. */
export interface RotatedKey extends CreatedKey {
  /** The replaced key, as it is now. */
  old: Key;
  /** Other keys whose grace period ended early, because all keys were in use. */
  ended: Key[];
}

/** What an account may use at once, in each process of the service. */
export interface PlanShares {
  browser_slots: number;
  other_requests: number;
  page_connections: number;
  body_megabytes: number;
}

/** What a plan allows: requests per minute for each key, and the account's shares. */
export interface PlanTerms {
  limit_per_minute: number;
  shares: PlanShares;
}

export interface Plan extends PlanTerms {
  plan: string;
  plans: (PlanTerms & { name: string })[];
  keys_used: number;
  keys_limit: number;
}

export interface Overview {
  today: { requests: number; errors: number; p95_ms: number | null };
  minute: { limit: number; used_max_key: number };
  by_hour: { start: string; requests: number; errors: number }[];
  keys: { active: number };
  first_key: Key | null;
}

export type Bucket = 'minute' | 'hour' | 'day';

/** One number. `operation` is there in usage by operation, `none` where a request met none; `key_id` in usage by key. */
export interface UsageRow {
  start: string;
  operation?: Operation | 'none';
  key_id?: string;
  status_class: StatusClass;
  count: number;
}

export interface Usage {
  bucket: Bucket;
  from: string;
  to: string;
  rows: UsageRow[];
  totals: { requests: number; errors: number };
}

export interface LoggedRequest {
  id: string;
  at: string;
  /** `none` where the path or the method belongs to no operation. */
  operation: Operation | 'none';
  status: number;
  ms: number;
  key_id: string;
  key_name: string;
  request_id: string;
}

export interface RequestPage {
  requests: LoggedRequest[];
  next: string | null;
}

export interface DeviceSession {
  id: string;
  created_at: string;
  last_seen_at: string;
  user_agent: string;
  current: boolean;
}

export interface AuditEvent {
  id: string;
  at: string;
  event: string;
  detail: unknown;
  request_id: string | null;
}

export interface AuditPage {
  events: AuditEvent[];
  next: string | null;
}

export interface AdminAccount extends Account {
  disabled: boolean;
  keys: number;
  last_used_at: string | null;
}

export interface AdminAccountPage {
  accounts: AdminAccount[];
  next: string | null;
}

export interface AdminPlan extends PlanTerms {
  name: string;
  accounts: number;
}

export interface Invite {
  url: string;
  expires_at: string;
}
