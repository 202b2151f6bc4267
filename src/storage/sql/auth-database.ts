/**
 * better-auth's tables on our Kysely instance: integer times and 0 and 1 for booleans, as in all our tables.
 * Only a digest of a session's token is stored, so that a stolen database contains no usable session.
 */
import { hash } from 'node:crypto';
import {
  createAdapterFactory,
  type CleanedWhere,
  type CustomAdapter,
  type DBAdapter,
} from 'better-auth/adapters';
import type { BetterAuthOptions } from 'better-auth/types';
import { type ExpressionBuilder, type ExpressionWrapper, type Kysely, sql, type SqlBool } from 'kysely';
import type { Schema } from './schema.ts';

type Row = Record<string, unknown>;
/** The tables as better-auth names them: by text. */
type Tables = Record<string, Row>;

/** Creates the `database` option of better-auth. */
export function createAuthDatabase(db: Kysely<Schema>): (options: BetterAuthOptions) => DBAdapter {
  return (options) => {
    const createAdapter = createAdapterFactory({
      config: {
        adapterId: 'utility-api-sql',
        supportsBooleans: false,
        supportsNumericIds: false,
        customTransformInput: ({ data, field, model }) => toColumn(data, model, field),
        customTransformOutput: ({ data, fieldAttributes }) =>
          fieldAttributes.type === 'date' && typeof data === 'number' ? new Date(data) : (data as unknown),
        transaction:
          !db.isTransaction &&
          ((act) => db.transaction().execute((trx) => act(createAuthDatabase(trx)(options)))),
      },
      adapter: ({ getFieldName }) => createQueries(db as unknown as Kysely<Tables>, getFieldName),
    });
    return showSessionTokens(createAdapter(options));
  };
}

function toColumn(data: unknown, model: string, field: string): unknown {
  if (data instanceof Date) return data.getTime();
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

/** Sessions of an account, and its sign-ins in progress: a new one ends the oldest past this number. */
const MAX_ROWS_PER_ACCOUNT = 100;

function createQueries(
  db: Kysely<Tables>,
  getFieldName: (of: { model: string; field: string }) => string,
): CustomAdapter {
  return {
    async create({ model, data }) {
      const row = await db.insertInto(model).values(data).returningAll().executeTakeFirstOrThrow();
      const owner = model === 'sessions' ? 'account_id' : 'value';
      // A sign-in that waits for its second factor has the id of the account as its value.
      if (String(row[owner]).startsWith('acc_')) {
        const own = db.selectFrom(model).select('id').where(owner, '=', row[owner]);
        const kept = own.orderBy('created_at', 'desc').orderBy('id').limit(MAX_ROWS_PER_ACCOUNT);
        await db.deleteFrom(model).where(owner, '=', row[owner]).where('id', 'not in', kept).execute();
      }
      return row as never;
    },
    async findOne({ model, where }) {
      const rows = await db.selectFrom(model).selectAll().where(matches(where)).limit(1).execute();
      return (rows[0] ?? null) as never;
    },
    async findMany({ model, where, limit, sortBy, offset = 0 }) {
      const rows = db.selectFrom(model).selectAll().where(matches(where)).limit(limit).offset(offset);
      const sorted = sortBy
        ? rows.orderBy(getFieldName({ model, field: sortBy.field }), sortBy.direction)
        : rows;
      return (await sorted.execute()) as never;
    },
    async count({ model, where }) {
      const rows = db.selectFrom(model).select(({ fn }) => fn.countAll().as('count'));
      return Number((await rows.where(matches(where)).executeTakeFirstOrThrow()).count);
    },
    async update({ model, where, update }) {
      const rows = db
        .updateTable(model)
        .set(update as Row)
        .where(matches(where))
        .returningAll();
      return ((await rows.execute())[0] ?? null) as never;
    },
    async updateMany({ model, where, update }) {
      const { numUpdatedRows } = await db
        .updateTable(model)
        .set(update)
        .where(matches(where))
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },
    async delete({ model, where }) {
      await db.deleteFrom(model).where(matches(where)).execute();
    },
    async deleteMany({ model, where }) {
      const { numDeletedRows } = await db.deleteFrom(model).where(matches(where)).executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
    async incrementOne({ model, where, increment, set }) {
      const sums = Object.entries(increment).map(([column, delta]) => [
        column,
        sql`${sql.ref(column)} + ${delta}`,
      ]);
      const rows = db
        .updateTable(model)
        .set({ ...Object.fromEntries(sums), ...set } as Row)
        .where(matches(where))
        .returningAll();
      return ((await rows.execute())[0] ?? null) as never;
    },
    async consumeOne({ model, where }) {
      const one = db.selectFrom(model).select('id').where(matches(where)).limit(1);
      const rows = await db.deleteFrom(model).where('id', 'in', one).returningAll().execute();
      return (rows[0] ?? null) as never;
    },
  };
}

const OPERATORS = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=', in: 'in' } as const;

type Condition = (eb: ExpressionBuilder<Tables, string>) => ExpressionWrapper<Tables, string, SqlBool>;

/**
 * Returns the conditions joined by AND, the only connector that better-auth core uses. Throws for all others:
 * a wrong condition could match another account's row.
 */
function matches(where: readonly CleanedWhere[] = []): Condition {
  return (eb) =>
    eb.and(
      where.map(({ field, operator, value, connector }) => {
        const sign = OPERATORS[operator as keyof typeof OPERATORS];
        if (sign === undefined || connector !== 'AND')
          throw new Error(`The condition ${connector} ${operator} is not supported.`);
        if (Array.isArray(value) && value.length === 0) return eb.lit(false);
        if (value === null) return eb(field, sign === '<>' ? 'is not' : 'is', null);
        return eb(field, sign, value instanceof Date ? value.getTime() : value);
      }),
    );
}
