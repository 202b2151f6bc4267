/** The sizes of the time buckets that requests are counted in; minutes are kept 7 days, hours and days 90. */
export type BucketSize = 'minute' | 'hour' | 'day';
export const BUCKET_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const satisfies Record<
  BucketSize,
  number
>;

/** `429` is kept apart from the other 4xx: what was refused by the limit does not count against it. */
export type StatusClass = '2xx' | '3xx' | '4xx' | '429' | '5xx';

/** How many requests one key made in one bucket of time. */
export interface UsageCount {
  accountId: string;
  keyId: string;
  operation: string;
  statusClass: StatusClass;
  bucketSize: BucketSize;
  bucketStartMs: number;
  requests: number;
}

/** How many requests were made in one bucket of time. */
export type UsageSum = Pick<UsageCount, 'operation' | 'statusClass' | 'bucketStartMs' | 'requests'>;

/** How many requests of an account took about so long: `ms` is the upper bound of the latency step. Counted by the hour. */
export interface LatencyCount {
  accountId: string;
  operation: string;
  bucketStartMs: number;
  ms: number;
  requests: number;
}

/** One line of the request log. Never holds an address, a URL or a document. */
export interface LoggedRequest {
  /** Sorts by the time of storing. */
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

/** What was buffered since the last flush. */
export interface UsageBatch {
  counts: readonly UsageCount[];
  latencies: readonly LatencyCount[];
  requests: readonly NewLoggedRequest[];
  /** Key id → when it was last used. */
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
  /** Inclusive range of statuses. */
  statuses?: readonly [number, number] | undefined;
  keyId?: string | undefined;
  /** Older than this id (newest first), or newer than it (the newest of them, newest first). */
  beforeId?: string | undefined;
  afterId?: string | undefined;
  limit: number;
}

/** A page of the log, and the id to go on before; null at the log's end. A page may be short, even empty, before the end: a filter looks at so many lines at a time. */
export interface RequestLogPage {
  requests: LoggedRequest[];
  nextId: string | null;
}

/** Keeps what was called. Every method throws ApiError `unavailable` where the database cannot answer. */
export interface UsageStore {
  /** Adds a batch, all or nothing. */
  addUsage(batch: UsageBatch): Promise<void>;
  /** By key. */
  listUsage(query: UsageQuery): Promise<UsageCount[]>;
  /** All keys together, or the one asked for: a quarter of a year by the hour is thousands of rows, not a million. */
  sumUsage(query: UsageQuery): Promise<UsageSum[]>;
  listLatencies(accountId: string, fromMs: number, toMs: number): Promise<LatencyCount[]>;
  listRequests(query: RequestLogQuery): Promise<RequestLogPage>;
  /** Forgets what is older than the times given, in small steps, and the oldest lines of the log past `maxRequests`. */
  pruneUsage(limits: UsageRetention): Promise<void>;
}

export interface UsageRetention {
  minutesBeforeMs: number;
  countsBeforeMs: number;
  requestsBeforeMs: number;
  maxRequests: number;
}
