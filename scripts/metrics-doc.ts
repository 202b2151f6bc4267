/** Formats the tables of metrics and alerts of docs/operate/monitor.md. */
import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { METRICS, type MetricRow } from '#telemetry';

/** An alert rule of deploy/prometheus/alerts.yaml. */
export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: 'critical' | 'warning' };
  annotations: { summary: string; action: string; runbook: string };
}

/** Loads the alert rules. */
export function loadAlerts(): AlertRule[] {
  const text = readFileSync(new URL('../deploy/prometheus/alerts.yaml', import.meta.url), 'utf8');
  const { groups } = parse(text) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** A metric that a PromQL expression names, with the labels that it matches or groups by. */
export interface UsedNames {
  metrics: { name: string; matched: { label: string; operator: string; value: string }[] }[];
  grouped: string[];
}

const SELECTOR = 'VectorSelector';

/** Returns the names in an expression. Throws if it is not valid PromQL. */
export function parsePromQl(expression: string): UsedNames {
  // Variables of Grafana outside strings are no PromQL.
  const text = expression.replaceAll('$__rate_interval', '5m');
  const used: UsedNames = { metrics: [], grouped: [] };
  const cursor = parser.parse(text).cursor();
  do {
    const { name, node } = cursor;
    if (node.type.isError) throw new Error(`not valid PromQL at ${node.from}: ${text}`);
    const slice = text.slice(node.from, node.to);
    if (name === SELECTOR) used.metrics.push({ name: slice.split('{', 1)[0]?.trim() ?? '', matched: [] });
    const [label, operator, value] = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/s.exec(slice)?.slice(1) ?? [];
    if (name === 'UnquotedLabelMatcher' && label !== undefined)
      used.metrics.at(-1)?.matched.push({ label, operator: operator ?? '', value: value ?? '' });
    if (name === 'LabelName' && node.parent?.name === 'GroupingLabels') used.grouped.push(slice);
  } while (cursor.next());
  return used;
}

/** Returns the name of a metric without the suffix of a series of a histogram. */
export function toMetricName(series: string): string {
  return series.replace(/_seconds_(?:bucket|sum|count)$/, '_seconds');
}

/** Formats the table of the metrics of the service, each with its alerts. */
export function formatMetricsTable(): string {
  const rules = loadAlerts();
  const lines = Object.values<MetricRow>(METRICS).map(({ name, type, labels, help }) => {
    const alerts = rules.filter(({ expr }) =>
      parsePromQl(expr).metrics.some((used) => toMetricName(used.name) === name),
    );
    const links = alerts.map(({ alert }) => `[${alert}](#${alert.toLowerCase()})`).join(', ');
    return `| \`${name}\` | ${type} | ${Object.keys(labels).join(', ')} | ${help} | ${links} |`;
  });
  return ['| metric | type | labels | meaning | alert |', '|---|---|---|---|---|', ...lines].join('\n');
}

/** Formats the table of the alerts. The id of a row is the name of its alert, as the runbooks name it. */
export function formatAlertsTable(): string {
  const lines = loadAlerts().map(({ alert, for: duration, labels, annotations: { summary, action } }) => {
    const when = duration === undefined ? labels.severity : `${labels.severity}, after ${duration}`;
    return `| <a id="${alert.toLowerCase()}"></a>${alert} | ${when} | ${summary} ${action} |`;
  });
  return ['| alert | severity | meaning, and what to do |', '|---|---|---|', ...lines].join('\n');
}

/** Replaces the generated parts of docs/operate/monitor.md. */
export function replaceMetricTables(page: string): string {
  return [
    ['metrics', formatMetricsTable()],
    ['alerts', formatAlertsTable()],
  ].reduce((text, [name, content]) => {
    const block = new RegExp(`<!-- ${name}: npm run docs -->.*?<!-- /${name} -->`, 's');
    if (!block.test(text)) throw new Error(`docs/operate/monitor.md has no block ${name}`);
    return text.replace(block, () => `<!-- ${name}: npm run docs -->\n\n${content}\n\n<!-- /${name} -->`);
  }, page);
}
