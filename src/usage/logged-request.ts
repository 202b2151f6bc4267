/**
 * Upper bounds of latency in milliseconds, each about a fifth above the one before: a percentile computed
 * from them is too high by at most a fifth.
 */
const STEPS: readonly number[] = createSteps();

function createSteps(): number[] {
  const steps = [1];
  while ((steps.at(-1) ?? 0) < 120_000) steps.push(Math.ceil((steps.at(-1) ?? 1) * 1.2));
  return steps;
}

/** Returns the smallest step that is at least `ms`; the last step for all above. */
export function findLatencyStep(ms: number): number {
  let low = 0;
  let high = STEPS.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((STEPS[middle] ?? 0) >= ms) high = middle;
    else low = middle + 1;
  }
  return STEPS[low] ?? 0;
}

/** Returns the latency that `share` (0–1) of the requests did not exceed, null if there are no requests. */
export function computePercentile(
  counts: readonly { ms: number; requests: number }[],
  share: number,
): number | null {
  const sorted = counts.toSorted((one, other) => one.ms - other.ms);
  const total = sorted.reduce((sum, { requests }) => sum + requests, 0);
  let seen = 0;
  for (const { ms, requests } of sorted) {
    seen += requests;
    if (seen >= total * share) return ms;
  }
  return null;
}

/** `429` is separate from the other 4xx: requests refused by the rate limit do not count against it. */
export type StatusClass = '2xx' | '3xx' | '4xx' | '429' | '5xx';

/** Returns the class of a status. */
export function toStatusClass(status: number): StatusClass {
  if (status === 429) return '429';
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}

/** Returns whether a class is one of errors. */
export function isFailed(statusClass: StatusClass): boolean {
  return statusClass !== '2xx' && statusClass !== '3xx';
}

/** A line of the request log. Never contains an email address, a URL or a document. */
export interface LoggedRequest extends RequestDetails {
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

/** Details of a request. Those that do not apply, or are not known, are absent. */
export interface RequestDetails {
  /** The identifier of the error; `disconnected` if the client closed the connection before the response. */
  error?: string | undefined;
  /** The field at fault, of the API's own names; `unknown` if the client made it up. */
  param?: string | undefined;
  /** The method and the pattern of the path. */
  route?: string | undefined;
  /** The time that the request allowed for its work. */
  timeoutMs?: number | undefined;
  /** Units that the request used of the limit of its key. */
  units?: number | undefined;
  limitPerMinute?: number | undefined;
  limitRemaining?: number | undefined;
  /** Items of a batch that ended with an error. */
  failedItems?: number | undefined;
  phases?: PhaseTimes | undefined;
}

/** The parts of a request's work that are measured. A redirect adds to the phases of the hop before it. */
export type Phase = 'queue' | 'dns' | 'connect' | 'first_byte' | 'body' | 'render' | 'load' | 'print';

/** Milliseconds by phase, of the phases that there were. */
export type PhaseTimes = { [phase in Phase]?: number };

export type NewLoggedRequest = Omit<LoggedRequest, 'id'>;

/** Selects lines of an account's log. A list selects lines with any of its values. */
export interface RequestFilter {
  accountId: string;
  operations?: readonly string[] | undefined;
  /** Ranges of statuses, inclusive. */
  statuses?: readonly (readonly [number, number])[] | undefined;
  errors?: readonly string[] | undefined;
  keyIds?: readonly string[] | undefined;
  minMs?: number | undefined;
  /** Lines in [fromMs, toMs). */
  fromMs?: number | undefined;
  toMs?: number | undefined;
  /** The first or the last characters of a request id. */
  requestIdPart?: string | undefined;
}

export interface RequestLogQuery extends RequestFilter {
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

export interface RequestCountQuery extends RequestFilter {
  /** The length of a bucket. */
  bucketMs: number;
}

/** Lines by time and status class. Only the newest lines are counted if the log is long. */
export interface RequestCounts {
  buckets: { bucketStartMs: number; statusClass: Exclude<StatusClass, '429'>; requests: number }[];
  /** The time of the oldest line that was searched, if older ones were not; null if all were. */
  sinceMs: number | null;
}
