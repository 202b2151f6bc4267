/** Usage as rows of a table, by operation or by key, and as CSV. */
import type { StatusClass, UsageCount, UsageSum } from '#usage';
import { type Static, Type } from 'typebox';
import { strict } from '../schema.ts';
import { formatTime } from './account-json.ts';

/** The member that distinguishes the rows of a bucket, besides the status class. */
type UsageGrouping = 'operation' | 'key' | 'status';

/** One count: of an `operation`, of a `key_id`, or of neither, depending on the grouping. */
export const usageRow = strict({
  start: Type.String(),
  operation: Type.Optional(Type.String()),
  key_id: Type.Optional(Type.String()),
  status_class: Type.Enum(['2xx', '4xx', '5xx']),
  count: Type.Integer(),
});
type UsageRow = Static<typeof usageRow>;

/** The class of a status as the dashboard shows it. */
export const SHOWN_CLASS = {
  '2xx': '2xx',
  '3xx': '2xx',
  '4xx': '4xx',
  '429': '4xx',
  '5xx': '5xx',
} as const satisfies Record<StatusClass, string>;
export type ShownClass = (typeof SHOWN_CLASS)[StatusClass];

/** Sums by bucket, operation and status class. */
export function sumByOperation(counts: readonly UsageSum[]): UsageRow[] {
  return sum(counts, ({ operation }) => ({ operation }));
}

/** Sums by bucket, key and status class. */
export function sumByKey(counts: readonly UsageCount[]): UsageRow[] {
  return sum(counts, ({ keyId }) => ({ key_id: keyId }));
}

/** Sums by bucket and status class. */
export function sumByStatus(counts: readonly UsageSum[]): UsageRow[] {
  return sum(counts, () => ({}));
}

function sum<Count extends UsageSum>(
  counts: readonly Count[],
  group: (count: Count) => Pick<UsageRow, 'operation' | 'key_id'>,
): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const count of counts) {
    const status_class = SHOWN_CLASS[count.statusClass];
    const own = group(count);
    const name = `${count.bucketStartMs} ${own.operation ?? own.key_id} ${status_class}`;
    const row = rows.get(name);
    if (row) row.count += count.requests;
    else
      rows.set(name, { start: formatTime(count.bucketStartMs), ...own, status_class, count: count.requests });
  }
  return [...rows.values()];
}

/** Formats rows as CSV (RFC 4180). Keys have their names beside their ids. */
export function formatUsageCsv(
  rows: readonly UsageRow[],
  by: UsageGrouping,
  keyNames: ReadonlyMap<string, string>,
): string {
  const columns = { key: ['key_id', 'key_name'], operation: ['operation'], status: [] }[by];
  const lines = rows.map(({ start, operation = '', key_id = '', status_class, count }) => [
    start,
    ...{ key: [key_id, keyNames.get(key_id) ?? ''], operation: [operation], status: [] }[by],
    status_class,
    String(count),
  ]);
  return formatCsv([['start', ...columns, 'status_class', 'count'], ...lines]);
}

/** Formats rows as CSV (RFC 4180). */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');
}

/**
 * A spreadsheet treats a cell that begins with one of these as a formula. A quote mark before it makes it
 * text (OWASP, CSV injection).
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

function toCell(text: string): string {
  const plain = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
