import { randomBytes } from 'node:crypto';
import type {
  LoggedRequest,
  NewLoggedRequest,
  PhaseTimes,
  RequestCountQuery,
  RequestCounts,
  RequestFilter,
  RequestLogPage,
  RequestLogQuery,
} from '#usage';
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema, UsageRequestRow } from './schema.ts';

/** Distinguishes the ids of processes that store in the same millisecond. */
const PROCESS = randomBytes(4).toString('hex');
let lastMs = 0;
let sequence = 0;

/**
 * Returns an id that sorts by time, and by call within a process: 9 characters of time in base 36, 4 of a
 * sequence number, 8 of the process.
 */
export function createSortedId(nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = 0;
  } else if (++sequence >= 36 ** 4) {
    lastMs += 1;
    sequence = 0;
  }
  return toSortedIdStart(lastMs) + sequence.toString(36).padStart(4, '0') + PROCESS;
}

/** Returns the start of the ids of a time: all ids of that time or later are above it. */
export function toSortedIdStart(ms: number): string {
  return Math.max(0, ms).toString(36).padStart(9, '0');
}

/** The columns of a line of the request log. */
const COLUMNS = {
  id: 'id',
  accountId: 'account_id',
  keyId: 'key_id',
  operation: 'operation',
  status: 'status',
  ms: 'ms',
  requestId: 'request_id',
  atMs: 'at',
  error: 'error',
  param: 'param',
  route: 'route',
  timeoutMs: 'timeout_ms',
  units: 'units',
  limitPerMinute: 'limit_per_minute',
  limitRemaining: 'limit_remaining',
  failedItems: 'failed_items',
  phases: 'phases',
} as const satisfies Readonly<Record<keyof LoggedRequest, keyof UsageRequestRow>>;
const ENTRIES = Object.entries(COLUMNS) as [keyof LoggedRequest, keyof UsageRequestRow][];
export const REQUEST_COLUMNS = Object.values(COLUMNS);

/** Converts a line of the log to a row, with a new id. */
export function toRequestRow(request: NewLoggedRequest): UsageRequestRow {
  const phases = request.phases && JSON.stringify(request.phases);
  const values: Record<string, unknown> = { ...request, id: createSortedId(request.atMs), phases };
  const row = Object.fromEntries(ENTRIES.map(([name, column]) => [column, values[name] ?? null]));
  return row as unknown as UsageRequestRow;
}

/** Converts a row to a line of the log, without what the row does not have. */
export function toRequest(row: UsageRequestRow): LoggedRequest {
  const phases = row.phases === null ? null : (JSON.parse(row.phases) as PhaseTimes);
  const values = { ...row, phases };
  const known = ENTRIES.filter(([, column]) => values[column] !== null);
  const request = Object.fromEntries(known.map(([name, column]) => [name, values[column]]));
  return request as unknown as LoggedRequest;
}

/** The lines of the log that one page's filter searches. */
const SCANNED_LINES = 20_000;
/** A line may have waited in memory while the database failed: its id is of the time of its storage. */
const MAX_DELAY_MS = 3_600_000;

type Lines = ExpressionBuilder<Schema, 'usage_requests'>;

/** Returns a page of an account's request log, newest first. */
export async function listRequests(db: Kysely<Schema>, query: RequestLogQuery): Promise<RequestLogPage> {
  const floor = await findFloor(db, query);
  const rows = await db
    .selectFrom('usage_requests')
    .selectAll()
    .where((eb) => eb.and([...selectRange(eb, query, floor?.id), ...selectLines(eb, query)]))
    .orderBy('id', 'desc')
    .limit(query.limit)
    .execute();
  const lastId = rows.length === query.limit ? rows.at(-1)?.id : floor?.id;
  return { requests: rows.map(toRequest), nextId: lastId ?? null };
}

/** Returns the line with a request id, which the service made unique. */
export async function findRequest(
  db: Kysely<Schema>,
  requestId: string,
  accountId: string | null,
): Promise<LoggedRequest | null> {
  const row = await db
    .selectFrom('usage_requests')
    .selectAll()
    .where('request_id', '=', requestId)
    .limit(1)
    .executeTakeFirst();
  // Not a condition of the query: SQLite would take the index of the account's lines, and read all of them.
  return row && (accountId === null || row.account_id === accountId) ? toRequest(row) : null;
}

/** Counts the newest lines that a filter selects, by time and status class. */
export async function countRequests(db: Kysely<Schema>, query: RequestCountQuery): Promise<RequestCounts> {
  const floor = await findFloor(db, query);
  const start = sql<number>`at - at % ${sql.lit(query.bucketMs)}`;
  const statusClass = sql<number>`status / 100`;
  const rows = await db
    .selectFrom('usage_requests')
    .select([start.as('start'), statusClass.as('class'), ({ fn }) => fn.countAll<number>().as('requests')])
    .where((eb) => eb.and([...selectRange(eb, query, floor?.id), ...selectLines(eb, query)]))
    .groupBy([start, statusClass])
    .orderBy(start)
    .execute();
  return {
    buckets: rows.map((row) => ({
      bucketStartMs: row.start,
      statusClass: toClassName(row.class),
      requests: row.requests,
    })),
    sinceMs: floor?.at ?? null,
  };
}

function toClassName(statusClass: number): RequestCounts['buckets'][number]['statusClass'] {
  return statusClass === 2 || statusClass === 3 || statusClass === 4 ? `${statusClass}xx` : '5xx';
}

type RangeQuery = RequestFilter & { beforeId?: string | undefined; afterId?: string | undefined };

/** Returns the oldest line that a query searches, if there may be older ones. */
async function findFloor(db: Kysely<Schema>, query: RangeQuery): Promise<{ id: string; at: number } | null> {
  const line = await db
    .selectFrom('usage_requests')
    .select(['id', 'at'])
    .where((eb) => eb.and(selectRange(eb, query)))
    .orderBy('id', 'desc')
    .offset(SCANNED_LINES - 1)
    .limit(1)
    .executeTakeFirst();
  return line ?? null;
}

/**
 * Returns the conditions that an index serves: the account, the range, only failed requests or all. `floorId`
 * is the oldest line of the range that is searched. Of several bounds on one side, SQLite would seek one, and
 * compare the others with millions of lines: there is one.
 */
function selectRange(eb: Lines, query: RangeQuery, floorId?: string): Expression<SqlBool>[] {
  const { accountId, beforeId, afterId = '', fromMs, toMs } = query;
  const conditions: Expression<SqlBool>[] = [eb('account_id', '=', accountId)];
  // An id is never older than its request.
  const fromId = floorId ?? (fromMs === undefined ? '' : toSortedIdStart(fromMs));
  if (fromId > afterId) conditions.push(eb('id', '>=', fromId));
  else if (afterId !== '') conditions.push(eb('id', '>', afterId));
  const toIds = toMs === undefined ? [] : [toSortedIdStart(toMs + MAX_DELAY_MS)];
  const [toId] = (beforeId === undefined ? toIds : [...toIds, beforeId]).toSorted();
  if (toId !== undefined) conditions.push(eb('id', '<', toId));
  // Literally the condition of the index usage_requests_failed.
  if (selectsFailedOnly(query)) conditions.push(sql<SqlBool>`status >= 400`);
  return conditions;
}

function selectsFailedOnly({ statuses, errors }: RequestFilter): boolean {
  return errors !== undefined || (statuses?.every(([from]) => from >= 400) ?? false);
}

/** Returns the other conditions of a filter. */
function selectLines(eb: Lines, query: RequestFilter): Expression<SqlBool>[] {
  const { operations, statuses, errors, keyIds, minMs, fromMs, toMs, requestIdPart } = query;
  const conditions: Expression<SqlBool>[] = [];
  if (operations) conditions.push(eb('operation', 'in', operations));
  if (errors) conditions.push(eb('error', 'in', errors));
  if (keyIds) conditions.push(eb('key_id', 'in', keyIds));
  if (minMs !== undefined) conditions.push(eb('ms', '>=', minMs));
  if (fromMs !== undefined) conditions.push(eb('at', '>=', fromMs));
  if (toMs !== undefined) conditions.push(eb('at', '<', toMs));
  if (statuses)
    conditions.push(
      eb.or(statuses.map(([from, to]) => eb.and([eb('status', '>=', from), eb('status', '<=', to)]))),
    );
  if (requestIdPart !== undefined) {
    const { length } = requestIdPart;
    conditions.push(
      sql<SqlBool>`(substr(request_id, 1, ${sql.lit(length)}) = ${requestIdPart} or
        substr(request_id, length(request_id) - ${sql.lit(length - 1)}) = ${requestIdPart})`,
    );
  }
  return conditions;
}
