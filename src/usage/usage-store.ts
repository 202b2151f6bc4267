import type {
  LoggedRequest,
  NewLoggedRequest,
  RequestCountQuery,
  RequestCounts,
  RequestLogPage,
  RequestLogQuery,
  StatusClass,
} from './logged-request.ts';

/** The sizes of time buckets; `USAGE_RETENTION_DAYS` says how long each is kept. */
export type BucketSize = 'minute' | 'hour' | 'day';
export const BUCKET_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const satisfies Record<
  BucketSize,
  number
>;

/** Returns the start of the bucket that contains `ms`. */
export function floorToBucket(ms: number, size: BucketSize): number {
  return ms - (ms % BUCKET_MS[size]);
}

/** Returns the start of the calendar month (UTC) that contains `ms`. */
export function floorToMonth(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The number of requests of a key in a time bucket. */
export interface UsageCount {
  accountId: string;
  keyId: string;
  operation: string;
  statusClass: StatusClass;
  bucketSize: BucketSize;
  bucketStartMs: number;
  requests: number;
}

/** The number of requests in a time bucket. */
export type UsageSum = Pick<UsageCount, 'operation' | 'statusClass' | 'bucketStartMs' | 'requests'>;

/** The number of requests of an account in a time bucket that the query names. */
export type AccountUsage = Pick<UsageCount, 'accountId' | 'operation' | 'statusClass' | 'requests'>;

/** The number of requests of a key in a time bucket. */
export type KeySum = Pick<UsageCount, 'keyId' | 'bucketStartMs' | 'requests'>;

/** The number of requests of a key that ended with an error, in a time bucket. */
export interface ErrorCount {
  accountId: string;
  keyId: string;
  operation: string;
  /** The identifier of the error; `disconnected` if the client closed the connection before the response. */
  error: string;
  bucketSize: 'hour' | 'day';
  bucketStartMs: number;
  requests: number;
}

/** The number of requests in a time bucket that ended with an error. */
export type ErrorSum = Pick<ErrorCount, 'operation' | 'error' | 'bucketStartMs' | 'requests'>;

/** The requests of an account in a calendar month (UTC). */
export interface MonthTotal {
  accountId: string;
  monthStartMs: number;
  operation: string;
  requests: number;
  errors: number;
  /** Units as the rate limit counts them: a batch of 50 is one request and 50 units. */
  units: number;
}

/** The number of requests of an account in a latency step: `ms` is the step's upper bound. */
export interface LatencyCount {
  accountId: string;
  operation: string;
  bucketSize: 'hour' | 'day';
  bucketStartMs: number;
  ms: number;
  requests: number;
}

/** The rows of one transaction. */
export interface UsageBatch {
  counts: readonly UsageCount[];
  latencies: readonly LatencyCount[];
  errors: readonly ErrorCount[];
  months: readonly MonthTotal[];
  requests: readonly NewLoggedRequest[];
  /** Key id → time of last use. */
  lastUsed: ReadonlyMap<string, number>;
}

export interface UsageQuery {
  accountId: string;
  bucketSize: BucketSize;
  /** Buckets that start in [fromMs, toMs). */
  fromMs: number;
  toMs: number;
  /** Absent for all keys, for all operations. */
  keyIds?: readonly string[] | undefined;
  operations?: readonly string[] | undefined;
}

export interface LatencyQuery {
  accountId: string;
  bucketSize: 'hour' | 'day';
  fromMs: number;
  toMs: number;
}

export interface ErrorQuery extends LatencyQuery {
  keyIds?: readonly string[] | undefined;
  operations?: readonly string[] | undefined;
  errors?: readonly string[] | undefined;
}

/** Stores usage. All methods throw ApiError `unavailable` if the database fails. */
export interface UsageStore {
  /** The rows of each kind that a batch should have at most; 250 by default. */
  rowsPerBatch?: number;
  /**
   * Adds a batch in one transaction. A batch that failed may be added again, as the same object: it is
   * counted once, even if the first attempt was stored and the acknowledgement lost.
   */
  addUsage(batch: UsageBatch): Promise<void>;
  /** Returns counts by key. */
  listUsage(query: UsageQuery): Promise<UsageCount[]>;
  /**
   * Returns sums over all keys, or of `keyIds`: 90 days by hour are thousands of rows instead of a million.
   */
  sumUsage(query: UsageQuery): Promise<UsageSum[]>;
  /** Returns sums by key over all operations and statuses. */
  sumByKey(query: UsageQuery): Promise<KeySum[]>;
  listLatencies(query: LatencyQuery): Promise<LatencyCount[]>;
  /** Returns the errors of each operation by bucket, all keys or `keyIds` together. */
  sumErrors(query: ErrorQuery): Promise<ErrorSum[]>;
  /** Returns the totals of months that start in [fromMs, toMs), oldest first. */
  listMonths(accountId: string, fromMs: number, toMs: number): Promise<MonthTotal[]>;
  /** Returns the counts of all accounts in the bucket that starts at `bucketStartMs`. */
  sumAccounts(bucketSize: BucketSize, bucketStartMs: number): Promise<AccountUsage[]>;
  listRequests(query: RequestLogQuery): Promise<RequestLogPage>;
  /** Returns the line with a request id; null if there is none. `accountId` null: of any account. */
  findRequest(requestId: string, accountId: string | null): Promise<LoggedRequest | null>;
  /** Counts the lines that a filter selects, by time and status class. */
  countRequests(query: RequestCountQuery): Promise<RequestCounts>;
  /** Deletes rows older than the given times, and the oldest log lines past `maxRequests`, in small steps. */
  pruneUsage(limits: UsageRetention): Promise<void>;
}

/** Times before which rows are deleted. */
export interface UsageRetention {
  minutesBeforeMs: number;
  countsBeforeMs: number;
  monthsBeforeMs: number;
  requestsBeforeMs: number;
  maxRequests: number;
}
