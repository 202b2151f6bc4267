import type * as prometheusTypes from 'prom-client';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Labels, MetricRow } from './metric-row.ts';
import { PART_METRICS } from './part-metrics.ts';
import { REQUEST_METRICS } from './request-metrics.ts';

/** The table of the metrics of the service, apart from those of the process (process_…, nodejs_…). */
export const METRICS = { ...REQUEST_METRICS, ...PART_METRICS } as const;

type Table = typeof METRICS;
type LabelsOf<Row> = Row extends MetricRow<MetricRow['type'], infer L> ? keyof L & string : never;
type MetricOf<Row extends MetricRow> = Row['type'] extends 'counter'
  ? Counter<LabelsOf<Row>>
  : Row['type'] extends 'gauge'
    ? Gauge<LabelsOf<Row>>
    : Histogram<LabelsOf<Row>>;

/** The metrics of one process, by their names in the table. */
export type MetricSet = { readonly [Name in keyof Table]: MetricOf<Table[Name]> };

type Prometheus = typeof prometheusTypes;

export interface Metrics extends MetricSet {
  /** Calls `read` at each scrape, before the values are formatted. */
  onScrape(read: () => void | Promise<void>): void;
  /** Returns the values in the text format of Prometheus. */
  format(): Promise<string>;
  readonly contentType: string;
  /** Returns the names of all metrics with their labels, those of the process included. */
  list(): { name: string; type: string; labels: string[] }[];
}

/** Opens the metrics of a process, in a registry of their own. */
export async function openMetrics(): Promise<Metrics> {
  // Not loaded by processes without metrics: it also loads the API of OpenTelemetry.
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  const set = Object.fromEntries(
    Object.entries(METRICS).map(([name, row]) => [name, createMetric(prometheus, row, registry)]),
  ) as unknown as MetricSet;
  prometheus.collectDefaultMetrics({ register: registry });
  const reads: (() => void | Promise<void>)[] = [];
  return {
    ...set,
    contentType: registry.contentType,
    onScrape: (read) => void reads.push(read),
    async format() {
      await Promise.all(reads.map(async (read) => read()));
      return registry.metrics();
    },
    list: () =>
      registry.getMetricsAsArray().map((metric) => {
        // The types of prom-client do not have the members of the metrics.
        const { name, type, labelNames } = metric as unknown as {
          name: string;
          type: string;
          labelNames: string[];
        };
        return { name, type, labels: labelNames };
      }),
  };
}

function createMetric(
  prometheus: Prometheus,
  row: MetricRow,
  registry: Registry,
): Counter | Gauge | Histogram {
  const { name, help, buckets = [] } = row;
  const options = { name, help, labelNames: Object.keys(row.labels), registers: [registry] };
  if (row.type === 'counter') return createCounter(new prometheus.Counter(options), row.labels);
  if (row.type === 'gauge') return new prometheus.Gauge(options);
  return new prometheus.Histogram({ ...options, buckets: [...buckets] });
}

/** Sets each series to 0: rates need a value before the first event. */
function createCounter(counter: Counter, labels: Labels): Counter {
  let series: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    // Any status could follow.
    if (values === 'HTTP status') return counter;
    series = series.flatMap((one) => values.map((value) => ({ ...one, [label]: value })));
  }
  for (const one of series) counter.inc(one, 0);
  return counter;
}
