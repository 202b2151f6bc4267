/**
 * better-auth's tables on our Kysely instance: integer times on the injected clock, 0 and 1 for booleans.
 * Only a digest of a session's token is stored, so that a stolen database contains no usable session.
 */
import { hash } from 'node:crypto';
import {
  createAdapterFactory,
  type AdapterFactoryConfig,
  type CleanedWhere,
  type CustomAdapter,
  type DBAdapter,
} from 'better-auth/adapters';
import type { BetterAuthOptions } from 'better-auth/types';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Schema } from './schema.ts';

type Row = Record<string, unknown>;

/**
 * Creates the `database` option of better-auth. It uses the machine's clock, so the difference to the
 * injected one is added to times that are stored and subtracted from times that are loaded.
 */
export function createAuthDatabase(
  db: Kysely<Schema>,
  now: () => number,
): (options: BetterAuthOptions) => DBAdapter {
  const machineNow = Date.now;
  const getShiftMs = (): number => now() - machineNow();
  const build = (
    connection: Kysely<Schema>,
    options: BetterAuthOptions,
    isTransaction: boolean,
  ): DBAdapter => {
    const config: AdapterFactoryConfig = {
      adapterId: 'utility-api-sql',
      supportsBooleans: false,
      supportsNumericIds: false,
      customTransformInput: ({ data, field, model }) => toColumn(data, model, field, getShiftMs()),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && typeof data === 'number'
          ? new Date(data - getShiftMs())
          : (data as unknown),
      transaction: isTransaction
        ? false
        : (act) => db.transaction().execute((trx) => act(build(trx, options, true))),
    };
    const adapter = createAdapterFactory({
      config,
      adapter: ({ getFieldName }) => createQueries(connection, getFieldName),
    })(options);
    return showSessionTokens(adapter);
  };
  return (options) => build(db, options, false);
}

function toColumn(data: unknown, model: string, field: string, shiftMs: number): unknown {
  if (data instanceof Date) return data.getTime() + shiftMs;
  if (model === 'sessions' && field === 'token_hash') {
    if (Array.isArray(data)) return data.map((token) => hashToken(String(token)));
    return typeof data === 'string' ? hashToken(data) : data;
  }
  return data;
}

function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Returns the adapter with the token of the query, which the caller knows, in place of its digest. */
function showSessionTokens(adapter: DBAdapter): DBAdapter {
  const show = <T>(row: T, model: string, token: unknown): T =>
    row && model === 'session' && typeof token === 'string' ? { ...row, token } : row;
  const getToken = (where: readonly { field: string; value: unknown }[]): unknown =>
    where.find(({ field }) => field === 'token')?.value;
  return {
    ...adapter,
    create: async (request) =>
      show(await adapter.create(request), request.model, (request.data as Row)['token']) as never,
    findOne: async (request) => show(await adapter.findOne(request), request.model, getToken(request.where)),
    update: async (request) => show(await adapter.update(request), request.model, getToken(request.where)),
  };
}

type GetFieldName = (of: { model: string; field: string }) => string;

function createQueries(db: Kysely<Schema>, getFieldName: GetFieldName): CustomAdapter {
  return { ...createSelects(db, getFieldName), ...createWrites(db) };
}

function createSelects(
  db: Kysely<Schema>,
  getFieldName: GetFieldName,
): Pick<CustomAdapter, 'findOne' | 'findMany' | 'count'> {
  return {
    async findOne({ model, where }) {
      const [row] = await run(db, sql`select * from ${sql.table(model)} where ${condition(where)} limit 1`);
      return (row ?? null) as never;
    },
    async findMany({ model, where, limit, sortBy, offset }) {
      const order = sortBy
        ? sql` order by ${sql.ref(getFieldName({ model, field: sortBy.field }))} ${sql.raw(sortBy.direction === 'desc' ? 'desc' : 'asc')}`
        : sql``;
      const rows = await run(
        db,
        sql`select * from ${sql.table(model)} where ${condition(where)}${order} limit ${limit} offset ${offset ?? 0}`,
      );
      return rows as never;
    },
    async count({ model, where }) {
      const [row] = await run(
        db,
        sql`select count(*) as count from ${sql.table(model)} where ${condition(where)}`,
      );
      return Number(row?.['count'] ?? 0);
    },
  };
}

type Writes = 'create' | 'update' | 'updateMany' | 'delete' | 'deleteMany' | 'consumeOne';

function createWrites(db: Kysely<Schema>): Pick<CustomAdapter, Writes> {
  return {
    async create({ model, data }) {
      const [row] = await run(
        db,
        sql`insert into ${sql.table(model)} (${columns(data)}) values (${values(data)}) returning *`,
      );
      return row as never;
    },
    async updateMany({ model, where, update }) {
      const rows = await run(
        db,
        sql`update ${sql.table(model)} set ${assignments(update)} where ${condition(where)} returning id`,
      );
      return rows.length;
    },
    async update({ model, where, update }) {
      const [row] = await run(
        db,
        sql`update ${sql.table(model)} set ${assignments(update as Row)} where ${condition(where)} returning *`,
      );
      return (row ?? null) as never;
    },
    async deleteMany({ model, where }) {
      return (await run(db, sql`delete from ${sql.table(model)} where ${condition(where)} returning id`))
        .length;
    },
    async delete({ model, where }) {
      await run(db, sql`delete from ${sql.table(model)} where ${condition(where)}`);
    },
    async consumeOne({ model, where }) {
      const one = sql`select id from ${sql.table(model)} where ${condition(where)} limit 1`;
      const [row] = await run(db, sql`delete from ${sql.table(model)} where id in (${one}) returning *`);
      return (row ?? null) as never;
    },
  };
}

async function run(db: Kysely<Schema>, query: RawBuilder<unknown>): Promise<Row[]> {
  return (await query.execute(db)).rows as Row[];
}

function columns(data: Row): RawBuilder<unknown> {
  return sql.join(Object.keys(data).map((column) => sql.ref(column)));
}

function values(data: Row): RawBuilder<unknown> {
  return sql.join(Object.values(data).map((value) => sql`${value}`));
}

function assignments(data: Row): RawBuilder<unknown> {
  return sql.join(Object.entries(data).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
}

const OPERATORS: Partial<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

/**
 * Builds the conditions joined by AND, the only connector that better-auth core uses. Throws for all others:
 * a wrong condition could match another account's row.
 */
function condition(where: readonly CleanedWhere[] = []): RawBuilder<unknown> {
  const parts = where.map(({ field, operator, value, connector }) => {
    if (connector !== 'AND') throw new Error(`The connector ${connector} is not supported.`);
    const column = sql.ref(field);
    if (operator === 'in' && Array.isArray(value))
      return value.length === 0
        ? sql`1 = 0`
        : sql`${column} in (${sql.join(value.map((item) => sql`${item}`))})`;
    if (value === null) return operator === 'ne' ? sql`${column} is not null` : sql`${column} is null`;
    const sign = OPERATORS[operator ?? 'eq'];
    if (sign === undefined) throw new Error(`The operator ${operator} is not supported.`);
    return sql`${column} ${sql.raw(sign)} ${value}`;
  });
  return parts.length === 0 ? sql`1 = 1` : sql.join(parts, sql` and `);
}
