/** The filter of the request log: as the page's URL carries it, and as the API takes it. */

/** The search parameters of the page. Lists are separated by commas; an absent member selects all. */
export interface RequestSearch {
  operation?: string | undefined;
  /** Classes such as `4xx` and statuses such as `408`. */
  status?: string | undefined;
  error?: string | undefined;
  /** Ids of keys. */
  key?: string | undefined;
  min_ms?: string | undefined;
  /** A value of RANGES. */
  range?: string | undefined;
  /** Times as ISO 8601, which replace `range`. */
  from?: string | undefined;
  to?: string | undefined;
  /** A request ID, or its first or last characters. */
  id?: string | undefined;
  /** The request ID that the inspector shows. */
  request?: string | undefined;
}

/** The names of the search parameters. */
export const REQUEST_SEARCH = [
  'operation',
  'status',
  'error',
  'key',
  'min_ms',
  'range',
  'from',
  'to',
  'id',
  'request',
] as const satisfies readonly (keyof RequestSearch)[];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The ranges of time. The whole log is the last one. */
export const RANGES = [
  { value: '1h', label: 'Last hour' },
  { value: 'today', label: 'Today, UTC' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
] as const;

/** The range without a parameter. */
export const WHOLE_LOG = '7d';

/** The choices of the shortest duration, in milliseconds. */
export const DURATIONS = [
  { value: '100', label: '≥ 100 ms' },
  { value: '1000', label: '≥ 1 s' },
  { value: '5000', label: '≥ 5 s' },
  { value: '10000', label: '≥ 10 s' },
] as const;

/** The query members of the API. */
export interface LogQuery extends Record<string, string | undefined> {
  operation?: string | undefined;
  status_class?: string | undefined;
  status?: string | undefined;
  error?: string | undefined;
  key_id?: string | undefined;
  min_ms?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  request_id?: string | undefined;
}

/** Returns the values of a list. */
export function parseList(list: string | undefined): string[] {
  return (list ?? '').split(',').filter((value) => value !== '');
}

/** Returns the query of the API. An absent range is the whole log. */
export function toLogQuery(search: RequestSearch, nowMs: number): LogQuery {
  const statuses = parseList(search.status);
  const pick = (isClass: boolean) =>
    statuses.filter((status) => status.endsWith('xx') === isClass).join(',') || undefined;
  const isRange = search.from === undefined && search.to === undefined;
  return {
    operation: search.operation,
    status_class: pick(true),
    status: pick(false),
    error: search.error,
    key_id: search.key,
    min_ms: search.min_ms,
    from: isRange ? computeStart(search.range, nowMs) : search.from,
    to: search.to,
    request_id: search.id,
  };
}

function computeStart(range: string | undefined, nowMs: number): string | undefined {
  const startMs =
    range === '1h'
      ? nowMs - HOUR_MS
      : range === '24h'
        ? nowMs - DAY_MS
        : range === 'today'
          ? nowMs - (nowMs % DAY_MS)
          : null;
  return startMs === null ? undefined : new Date(startMs).toISOString();
}

/** Returns the part of the search that selects requests, as text. */
export function formatFilterKey(search: RequestSearch): string {
  return JSON.stringify({ ...search, request: undefined });
}

/** Parses the text of formatFilterKey. */
export function parseFilterKey(key: string): RequestSearch {
  return JSON.parse(key) as RequestSearch;
}

/** True if the search selects less than the whole log. */
export function isFiltered(search: RequestSearch): boolean {
  const range = search.range === WHOLE_LOG ? undefined : search.range;
  const filter = { ...search, range, request: undefined };
  return Object.values(filter).some((value) => value !== undefined);
}
