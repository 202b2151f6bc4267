import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ExportCursor, ExportPage, ExportRow } from '#accounts';
import { TABLE_KEYS } from '../copy/table-rows.ts';
import { type ColumnKind, EXPORTED_COLUMNS } from './export-columns.ts';
import type { Schema } from './schema.ts';

/** Rows per page, which is one query: some milliseconds of the event loop. */
const ROWS_PER_PAGE = 500;

type Table = keyof typeof TABLE_KEYS;
const SECTIONS = (Object.keys(TABLE_KEYS) as Table[]).filter((table) => EXPORTED_COLUMNS[table] !== null);

/** Loads a page of an account's data (see `AccountStore.loadExportPage`). */
export async function loadExportPage(
  db: Kysely<Schema>,
  accountId: string,
  { section, after }: ExportCursor,
): Promise<ExportPage> {
  const table = SECTIONS[section] as Table;
  const columns = listColumns(table);
  const key: readonly string[] = TABLE_KEYS[table];
  const names = [...new Set([...columns.map(([name]) => name), ...key])];
  const keyColumns = sql.join(key.map((name) => sql.ref(name)));
  const rest = after === null ? sql`` : sql`and (${keyColumns}) > (${sql.join([...after])})`;
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(names.map((name) => sql.ref(name)))} from ${sql.table(table)}
    where ${formatOwner(table, accountId)} ${rest} order by ${keyColumns} limit ${sql.lit(ROWS_PER_PAGE)}
  `.execute(db);
  const last = rows.length === ROWS_PER_PAGE ? rows.at(-1) : undefined;
  return {
    section: table,
    rows: rows.map((row) => toExportRow(row, columns)),
    next: last ? { section, after: key.map((name) => last[name]) } : findSection(section + 1),
  };
}

function findSection(section: number): ExportCursor | null {
  return section < SECTIONS.length ? { section, after: null } : null;
}

/** Returns the condition of the rows that belong to the account. */
function formatOwner(table: Table, accountId: string): RawBuilder<unknown> {
  if (table === 'accounts') return sql`id = ${accountId}`;
  if (table === 'links') return sql`email = (select email from accounts where id = ${accountId})`;
  return sql`account_id = ${accountId}`;
}

type ExportColumn = [name: string, kind: ColumnKind];

function listColumns(table: Table): ExportColumn[] {
  const kinds: Readonly<Record<string, ColumnKind | null>> = EXPORTED_COLUMNS[table] ?? {};
  return Object.entries(kinds).flatMap(([name, kind]): ExportColumn[] =>
    kind === null ? [] : [[name, kind]],
  );
}

function toExportRow(row: Record<string, unknown>, columns: readonly ExportColumn[]): ExportRow {
  return Object.fromEntries(columns.map(([name, kind]) => [name, toExportValue(row[name] ?? null, kind)]));
}

function toExportValue(value: unknown, kind: ColumnKind): unknown {
  if (value === null) return null;
  if (kind === 'time') return new Date(Number(value)).toISOString();
  if (kind === 'flag') return value === 1;
  return kind === 'json' && typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
}
