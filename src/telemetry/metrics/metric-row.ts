/** The values that a label may have: a fixed list, or the status codes of HTTP. */
export type LabelValues = readonly string[] | 'HTTP status';

/** The labels of a metric. No label names an account, a key, a host, an address or a URL. */
export type Labels = Readonly<Record<string, LabelValues>>;

/** One row of the table of metrics. */
export interface MetricRow<
  Type extends 'counter' | 'gauge' | 'histogram' = MetricType,
  L extends Labels = Labels,
> {
  type: Type;
  name: string;
  help: string;
  labels: L;
  /** The upper bounds of a histogram, in the unit of its name. */
  buckets?: readonly number[];
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

const PREFIX = 'utility_api_';

/** Describes a number that only grows. */
export function counter<const L extends Labels>(
  name: string,
  help: string,
  labels: L,
): MetricRow<'counter', L> {
  return { type: 'counter', name: `${PREFIX}${name}_total`, help, labels };
}

/** Describes a number that is read at each scrape. */
export function gauge<const L extends Labels>(name: string, help: string, labels: L): MetricRow<'gauge', L> {
  return { type: 'gauge', name: PREFIX + name, help, labels };
}

/** Describes a distribution of durations in seconds. */
export function histogram<const L extends Labels>(
  name: string,
  help: string,
  buckets: readonly number[],
  labels: L,
): MetricRow<'histogram', L> {
  return { type: 'histogram', name: `${PREFIX}${name}_seconds`, help, labels, buckets };
}
