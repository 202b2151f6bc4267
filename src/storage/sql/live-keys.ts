import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from 'kysely';
import type { Schema } from './schema.ts';

/** Builds the condition that a key is neither revoked nor expired; keys in a grace period are live. */
export function isLive(
  nowMs: number,
): (eb: ExpressionBuilder<Schema, 'api_keys'>) => ExpressionWrapper<Schema, 'api_keys', SqlBool> {
  return (eb) =>
    eb.and([
      eb('api_keys.revoked_at', 'is', null),
      eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', nowMs)]),
    ]);
}

/** Counts the account's live keys. */
export async function countLiveKeys(db: Kysely<Schema>, accountId: string, nowMs: number): Promise<number> {
  const row = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where(isLive(nowMs))
    .executeTakeFirstOrThrow();
  return row.count;
}
