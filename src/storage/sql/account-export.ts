/** The columns that the holder of an account downloads. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ExportCursor, ExportPage, ExportRow } from '#accounts';
import type { Schema } from './schema.ts';
import { TABLE_KEYS } from '../copy/table-rows.ts';

/** The form of a column: times as ISO 8601, flags as booleans, lists and objects from their JSON text. */
type ColumnKind = 'text' | 'number' | 'time' | 'flag' | 'json';

type Columns<Table extends keyof Schema> = Readonly<Record<keyof Schema[Table], ColumnKind | null>>;

/**
 * The exported columns of each table; null for tables without data of accounts, and for columns that are left
 * out: the account's id, which the section `accounts` has, and secrets and their digests. A new column does
 * not compile without a decision.
 */
const EXPORTED_COLUMNS: { readonly [Table in keyof Schema]: Columns<Table> | null } = {
  accounts: {
    id: 'text',
    email: 'text',
    name: 'text',
    email_verified: 'flag',
    plan: 'text',
    admin: 'flag',
    disabled: 'flag',
    second_factor: 'flag',
    self_made: 'flag',
    idle_days: 'number',
    counted_at: 'time',
    keys_disabled_at: 'time',
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
  usage_day_latencies: {
    account_id: null,
    bucket_start: 'time',
    operation: 'text',
    ms: 'number',
    requests: 'number',
  },
  usage_errors: {
    account_id: null,
    bucket_size: 'text',
    bucket_start: 'time',
    key_id: 'text',
    operation: 'text',
    error: 'text',
    requests: 'number',
  },
  usage_months: {
    account_id: null,
    month_start: 'time',
    operation: 'text',
    requests: 'number',
    errors: 'number',
    units: 'number',
  },
  quota_notices: { account_id: null, month_start: 'time', percent: 'number', at: 'time' },
  usage_requests: {
    id: 'text',
    account_id: null,
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
  key_changes: null,
  secrets: null,
  usage_batches: null,
  // Sign-ins that wait for a second step or for the provider, for minutes.
  verifications: null,
};

/** Rows per page, which is one query: some milliseconds of the event loop. */
const ROWS_PER_PAGE = 500;

type Table = keyof typeof TABLE_KEYS;
const SECTIONS = (Object.keys(TABLE_KEYS) as Table[]).filter((table) => EXPORTED_COLUMNS[table] !== null);

/** Loads a page of an account's data (see `AccountStore.loadExportPage`). */
export async function loadExportPage(
  db: Kysely<Schema>,
  accountId: string,
  { section, after }: ExportCursor,
): Promise<ExportPage> {
  const table = SECTIONS[section] as Table;
  const columns = listColumns(table);
  const key: readonly string[] = TABLE_KEYS[table];
  const names = [...new Set([...columns.map(([name]) => name), ...key])];
  const keyColumns = sql.join(key.map((name) => sql.ref(name)));
  const rest = after === null ? sql`` : sql`and (${keyColumns}) > (${sql.join([...after])})`;
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(names.map((name) => sql.ref(name)))} from ${sql.table(table)}
    where ${formatOwner(table, accountId)} ${rest} order by ${keyColumns} limit ${sql.lit(ROWS_PER_PAGE)}
  `.execute(db);
  const last = rows.length === ROWS_PER_PAGE ? rows.at(-1) : undefined;
  return {
    section: table,
    rows: rows.map((row) => toExportRow(row, columns)),
    next: last ? { section, after: key.map((name) => last[name]) } : findSection(section + 1),
  };
}

function findSection(section: number): ExportCursor | null {
  return section < SECTIONS.length ? { section, after: null } : null;
}

/** Returns the condition of the rows that belong to the account. */
function formatOwner(table: Table, accountId: string): RawBuilder<unknown> {
  if (table === 'accounts') return sql`id = ${accountId}`;
  if (table === 'links') return sql`email = (select email from accounts where id = ${accountId})`;
  return sql`account_id = ${accountId}`;
}

type ExportColumn = [name: string, kind: ColumnKind];

function listColumns(table: Table): ExportColumn[] {
  const kinds: Readonly<Record<string, ColumnKind | null>> = EXPORTED_COLUMNS[table] ?? {};
  return Object.entries(kinds).flatMap(([name, kind]): ExportColumn[] =>
    kind === null ? [] : [[name, kind]],
  );
}

function toExportRow(row: Record<string, unknown>, columns: readonly ExportColumn[]): ExportRow {
  return Object.fromEntries(columns.map(([name, kind]) => [name, toExportValue(row[name] ?? null, kind)]));
}

function toExportValue(value: unknown, kind: ColumnKind): unknown {
  if (value === null) return null;
  if (kind === 'time') return new Date(Number(value)).toISOString();
  if (kind === 'flag') return value === 1;
  return kind === 'json' && typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
}
