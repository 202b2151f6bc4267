/** The sizes of time buckets. Minutes are kept for 7 days, hours and days for 90. */
export type BucketSize = 'minute' | 'hour' | 'day';
export const BUCKET_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const satisfies Record<
  BucketSize,
  number
>;

/** Returns the start of the bucket that contains `ms`. */
export function floorToBucket(ms: number, size: BucketSize): number {
  return ms - (ms % BUCKET_MS[size]);
}

/** `429` is separate from the other 4xx: requests refused by the rate limit do not count against it. */
export type StatusClass = '2xx' | '3xx' | '4xx' | '429' | '5xx';

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

/** The number of requests of an account in a latency step, by hour: `ms` is the step's upper bound. */
export interface LatencyCount {
  accountId: string;
  operation: string;
  bucketStartMs: number;
  ms: number;
  requests: number;
}

/** A line of the request log. Never contains an email address, a URL or a document. */
export interface LoggedRequest {
  /** Sorts by time. */
  id: string;
  accountId: string;
  keyId: string;
  operation: string;
  status: number;
  ms: number;
  requestId: string;
  atMs: number;
}

export type NewLoggedRequest = Omit<LoggedRequest, 'id'>;

/** The rows of one transaction. */
export interface UsageBatch {
  counts: readonly UsageCount[];
  latencies: readonly LatencyCount[];
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
  keyId?: string | undefined;
}

export interface RequestLogQuery {
  accountId: string;
  operation?: string | undefined;
  /** The range of statuses, inclusive. */
  statuses?: readonly [number, number] | undefined;
  keyId?: string | undefined;
  /** Lines older than `beforeId`, or the newest of the lines after `afterId`. */
  beforeId?: string | undefined;
  afterId?: string | undefined;
  limit: number;
}

/**
 * A page of the log, newest first, and the `beforeId` of the next page; null at the end. A page before the
 * end may be short, even empty: a filter searches a bounded number of lines.
 */
export interface RequestLogPage {
  requests: LoggedRequest[];
  nextId: string | null;
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
   * Returns sums over all keys, or of `keyId`: 90 days by hour are thousands of rows instead of a million.
   */
  sumUsage(query: UsageQuery): Promise<UsageSum[]>;
  listLatencies(accountId: string, fromMs: number, toMs: number): Promise<LatencyCount[]>;
  /** Returns the counts of all accounts in the bucket that starts at `bucketStartMs`. */
  sumAccounts(bucketSize: BucketSize, bucketStartMs: number): Promise<AccountUsage[]>;
  listRequests(query: RequestLogQuery): Promise<RequestLogPage>;
  /** Returns the newest line with a request id; null if there is none. `accountId` null: of any account. */
  findRequest(requestId: string, accountId: string | null): Promise<LoggedRequest | null>;
  /** Deletes rows older than the given times, and the oldest log lines past `maxRequests`, in small steps. */
  pruneUsage(limits: UsageRetention): Promise<void>;
}

export interface UsageRetention {
  minutesBeforeMs: number;
  countsBeforeMs: number;
  requestsBeforeMs: number;
  maxRequests: number;
}
