import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type * as prometheusTypes from 'prom-client';
import { type Labels, type MetricRow, PART_METRICS, REQUEST_METRICS } from './metrics-table.ts';

/**
 * Counts by two labels. Costs some nanoseconds per event, a tenth of a counter of prom-client, which
 * validates and joins the labels each time. The counter gets the counts at each scrape.
 */
export class Tally<First extends string, Second extends string | number> {
  readonly #counts = new Map<First, Map<Second, number>>();

  /** The counts of these labels begin with 0: rates need a value before the first event. */
  constructor(firsts: readonly First[] = [], seconds: readonly Second[] = []) {
    for (const first of firsts) for (const second of seconds) this.add(first, second, 0);
  }

  add(first: First, second: Second, amount = 1): void {
    let counts = this.#counts.get(first);
    if (counts === undefined) this.#counts.set(first, (counts = new Map<Second, number>()));
    counts.set(second, (counts.get(second) ?? 0) + amount);
  }

  /** Sets the counter, whose labels are named, to the counts. */
  copyTo<A extends string, B extends string>(counter: Counter<A | B>, first: A, second: B): void {
    counter.reset();
    for (const [firstValue, counts] of this.#counts)
      for (const [secondValue, count] of counts)
        counter.inc(
          { [first]: firstValue, [second]: secondValue } as unknown as Record<A | B, string>,
          count,
        );
  }
}

/** Sets a counter without labels to a total that another part counts. */
export function setTotal(counter: Counter, total: number): void {
  counter.reset();
  counter.inc(total);
}

/** The metrics of the service, without the metrics of the process (process_…, nodejs_…). */
export const METRICS = { ...REQUEST_METRICS, ...PART_METRICS } as const;

type Table = typeof METRICS;
type LabelsOf<Row> = Row extends MetricRow<MetricRow['type'], infer L> ? keyof L & string : never;
type MetricOf<Row extends MetricRow> = Row['type'] extends 'counter'
  ? Counter<LabelsOf<Row>>
  : Row['type'] extends 'gauge'
    ? Gauge<LabelsOf<Row>>
    : Histogram<LabelsOf<Row>>;

/** The metrics of one process, by their names in the table. */
type MetricSet = { readonly [Name in keyof Table]: MetricOf<Table[Name]> };

type Prometheus = typeof prometheusTypes;

export interface Metrics extends MetricSet {
  /** Calls `read` at each scrape, before the values are formatted. */
  onScrape(read: () => Promise<void>): void;
  /** Returns the values in the text format of Prometheus. */
  format(): Promise<string>;
  readonly contentType: string;
  /** Returns the names of all metrics with their labels, including the metrics of the process. */
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
  const reads: (() => Promise<void>)[] = [];
  return {
    ...set,
    contentType: registry.contentType,
    onScrape: (read) => void reads.push(read),
    async format() {
      await Promise.all(reads.map((read) => read()));
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

interface MetricsServerOptions {
  metrics: Pick<Metrics, 'format' | 'contentType'>;
  host: string;
  port: number;
  /** Returns what /readyz reports, with the facts for operators. */
  readReadiness: () => Promise<{ status: string }>;
  /** Receives the error of a request, which is answered with 500. */
  onError: (error: unknown) => void;
}

/** A server that answers GET /metrics and GET /readyz. */
export interface MetricsServer {
  readonly address: AddressInfo;
  close(): Promise<void>;
}

/** A scrape that takes longer ends: by default, Prometheus waits 10 s. */
const TIMEOUT_MS = 10_000;
/** A connection whose request does not arrive in this time is closed: it holds one of the places. */
const HEAD_TIMEOUT_MS = 2_000;
const CHECK_INTERVAL_MS = 500;
const MAX_HEAD_BYTES = 8 * 1024;

/** Listens on host:port. Rejects with the error of the socket, for example EADDRINUSE. */
export async function openMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      requestTimeout: TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    (request, response) => void answer(options, request, response),
  );
  // A few scrapers, each with one connection: others would only hold memory.
  server.maxConnections = 64;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', options.onError);
  return {
    address: server.address() as AddressInfo,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Scrapers keep their connections open.
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 500).unref();
      }),
  };
}

async function answer(
  { metrics, readReadiness, onError }: MetricsServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  const path = (request.url ?? '').split('?', 1)[0];
  if (path !== '/metrics' && path !== '/readyz')
    return sendText(response, 404, 'There are only /metrics and /readyz here.\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return sendText(response, 405, 'Send GET.\n');
  }
  try {
    if (path === '/readyz') {
      const readiness = await readReadiness();
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.statusCode = readiness.status === 'ready' ? 200 : 503;
      response.end(JSON.stringify(readiness));
      return;
    }
    const text = await metrics.format();
    response.setHeader('content-type', metrics.contentType);
    response.end(text);
  } catch (error) {
    onError(error);
    sendText(response, 500, `${path} could not be read.\n`);
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(text);
}
