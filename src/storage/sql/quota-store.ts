import { type Kysely, sql } from 'kysely';
import type { QuotaStore } from '#limits';
import type { Schema } from './schema.ts';

/** Creates the store of quotas. `reader` reads over connections that slow queries do not occupy. */
export function createQuotaStore(db: Kysely<Schema>, reader: Kysely<Schema>): QuotaStore {
  return {
    async sumUnits(accountIds, monthStartMs) {
      const rows = await reader
        .selectFrom('usage_months')
        .select(['account_id', ({ fn }) => fn.sum<number>('units').as('units')])
        .where('account_id', 'in', accountIds)
        .where('month_start', '=', monthStartMs)
        .groupBy('account_id')
        .execute();
      return new Map(rows.map((row) => [row.account_id, row.units]));
    },
    async claimNotice({ accountId, monthStartMs, percent, nowMs }) {
      const { numAffectedRows } = await sql`insert into quota_notices (account_id, month_start, percent, at)
        select id, ${sql.lit(monthStartMs)}, ${sql.lit(percent)}, ${sql.lit(nowMs)}
        from accounts where id = ${accountId}
        on conflict (account_id, month_start, percent) do nothing`.execute(db);
      return numAffectedRows === 1n;
    },
  };
}
