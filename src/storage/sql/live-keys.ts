import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from 'kysely';
import type { Schema } from './schema.ts';

/** Neither revoked nor expired; includes keys in a rotation's grace period. */
export function isLive(
  nowMs: number,
): (eb: ExpressionBuilder<Schema, 'api_keys'>) => ExpressionWrapper<Schema, 'api_keys', SqlBool> {
  return (eb) =>
    eb.and([
      eb('api_keys.revoked_at', 'is', null),
      eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', nowMs)]),
    ]);
}

export async function countLiveKeys(db: Kysely<Schema>, accountId: string, nowMs: number): Promise<number> {
  const row = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where(isLive(nowMs))
    .executeTakeFirstOrThrow();
  return row.count;
}
