/** The dashboard of Grafana, the alert rules and the docs name metrics and labels that exist. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { METRICS, type MetricRow, openMetrics } from '#telemetry';
import { loadAlerts, parsePromQl, replaceMetricTables, toMetricName } from '../../scripts/metrics-doc.ts';

interface Panel {
  type: string;
  title: string;
  id: number;
  targets?: { expr: string; legendFormat: string }[];
}

const committed = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Labels that Prometheus adds to each series of a target. */
const TARGET_LABELS = ['instance', 'job'];
const metrics = await openMetrics();
const registry = new Map(metrics.list().map((metric) => [metric.name, metric]));
const rows = new Map<string, MetricRow>(Object.values(METRICS).map((row) => [row.name, row]));
const dashboard = JSON.parse(committed('deploy/grafana/utility-api.json')) as {
  panels: Panel[];
  templating: { list: { name: string; definition?: string }[] };
};
const operations = committed('docs/operate/monitor.md');

/** Returns the labels of a series; null if there is no such series. */
function findLabels(series: string): string[] | null {
  // Prometheus itself makes this one.
  if (series === 'up') return [];
  const metric = registry.get(toMetricName(series));
  if (metric === undefined) return null;
  const isBucket = series.endsWith('_bucket');
  if ((metric.type === 'histogram') !== /_seconds_(?:bucket|sum|count)$/.test(series)) return null;
  return isBucket ? [...metric.labels, 'le'] : metric.labels;
}

/** Returns the values of a matcher that the label never has. */
function findUnknownValues(row: MetricRow, label: string, operator: string, value: string): string[] {
  const values = row.labels[label];
  if (!Array.isArray(values)) return [];
  const texts = operator.endsWith('~') ? value.split('|') : [value];
  return texts.filter((text) => !values.includes(text));
}

/** Returns what an expression names that does not exist. */
function findFaults(expression: string): string[] {
  const { metrics, grouped } = parsePromQl(expression);
  const faults = metrics.flatMap(({ name, matched }) => {
    const labels = findLabels(name);
    if (labels === null) return [`no series ${name}`];
    const row = rows.get(toMetricName(name));
    return matched.flatMap(({ label, operator, value }) => {
      if (TARGET_LABELS.includes(label)) return [];
      if (!labels.includes(label)) return [`${name} has no label ${label}`];
      return row
        ? findUnknownValues(row, label, operator, value).map((text) => `${label} is never ${text}`)
        : [];
    });
  });
  const known = new Set([...TARGET_LABELS, ...metrics.flatMap(({ name }) => findLabels(name) ?? [])]);
  return [...faults, ...grouped.filter((label) => !known.has(label)).map((label) => `no label ${label}`)];
}

const expressions = [
  ...loadAlerts().map(({ alert, expr }): [string, string] => [alert, expr]),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [title, expr]),
  ),
];

describe('alerts and dashboard', () => {
  it('name series, labels and values that exist', () => {
    assert.ok(expressions.length > 60);
    for (const [title, expression] of expressions) assert.deepEqual(findFaults(expression), [], title);
  });

  it('a wrong name, label, value, suffix or syntax is found', () => {
    for (const [expression, fault] of [
      ['utility_api_request_total', 'no series utility_api_request_total'],
      ['utility_api_requests_total{route="x"}', 'utility_api_requests_total has no label route'],
      ['utility_api_renders_total{lane=~"warm|slow"}', 'lane is never slow'],
      ['sum by (host) (utility_api_requests_total)', 'no label host'],
      ['utility_api_request_duration_seconds', 'no series utility_api_request_duration_seconds'],
      ['utility_api_usage_lag_seconds_bucket', 'no series utility_api_usage_lag_seconds_bucket'],
    ] as const)
      assert.deepEqual(findFaults(expression), [fault]);
    assert.throws(() => findFaults('sum by (rate('), /not valid PromQL/);
  });

  it('legends name labels that the query keeps', () => {
    for (const { title, targets = [] } of dashboard.panels)
      for (const { expr, legendFormat } of targets) {
        const { grouped, metrics } = parsePromQl(expr);
        const kept =
          grouped.length > 0 ? grouped : [...TARGET_LABELS, ...(findLabels(metrics[0]?.name ?? '') ?? [])];
        for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          assert.ok(kept.includes(label), title);
      }
  });

  it('the dashboard has the eight rows, panels with own ids, and its variables', () => {
    const titles = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    assert.deepEqual(titles, [
      'Traffic',
      'Latency',
      'Refusals',
      'Browser',
      'Egress',
      'Limiter',
      'Database',
      'Process',
    ]);
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
    assert.deepEqual(
      dashboard.templating.list.map(({ name }) => name),
      ['datasource', 'instance'],
    );
    const queried = /label_values\((\w+), instance\)/.exec(
      dashboard.templating.list[1]?.definition ?? '',
    )?.[1];
    assert.ok(rows.has(queried ?? ''));
  });

  it('each metric of the service is shown in the dashboard', () => {
    const shown = new Set(
      dashboard.panels.flatMap(({ targets = [] }) =>
        targets.flatMap(({ expr }) => parsePromQl(expr).metrics.map(({ name }) => toMetricName(name))),
      ),
    );
    assert.deepEqual(
      [...rows.keys()].filter((name) => !shown.has(name)),
      [],
    );
  });

  it('each alert has a severity, a runbook that is a row of the docs, and a name of its own', () => {
    const rules = loadAlerts();
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    const found = operations.matchAll(/^\| <a id="(\w+)"><\/a>\w+ \|/gm);
    const ids = new Set(found.map(([, id = '']) => id));
    for (const { alert, labels, annotations } of rules) {
      assert.match(labels.severity, /^(?:critical|warning)$/);
      assert.equal(annotations.runbook, `docs/operate/monitor.md#${alert.toLowerCase()}`);
      assert.ok(ids.has(alert.toLowerCase()), alert);
      assert.ok(annotations.summary && annotations.action);
    }
  });
});

describe('docs/operate/monitor.md', () => {
  it('is up to date with the metrics and the alerts (npm run docs)', () => {
    assert.equal(replaceMetricTables(operations), operations);
  });

  it('has a row for each metric of the service', () => {
    for (const name of rows.keys()) assert.ok(operations.includes(`| \`${name}\` |`), name);
  });

  it('names have the prefix and a base unit; counters end in _total', () => {
    for (const { name, type } of rows.values()) {
      assert.match(name, /^utility_api_[a-z_]+$/);
      assert.doesNotMatch(name, /_(?:ms|milliseconds|kb|mb|minutes)(?:_|$)/);
      assert.equal(name.endsWith('_total'), type === 'counter', name);
    }
  });
});
