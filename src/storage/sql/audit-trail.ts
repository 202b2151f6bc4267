import type { Kysely } from 'kysely';
import type { AccessStore, AuditEventName } from '#accounts/sign-in';
import type { Schema } from './schema.ts';
import { createSortedId } from './request-log.ts';

type AuditTrail = 'insertAuditEvent' | 'listAuditEvents' | 'findLastEvent';

/** Creates the store of the audit trail. */
export function createAuditTrail(db: Kysely<Schema>): Pick<AccessStore, AuditTrail> {
  return {
    async insertAuditEvent({ accountId, event, detail, requestId, ip, atMs }) {
      await db
        .insertInto('audit_events')
        .values({
          id: createSortedId(atMs),
          account_id: accountId,
          event,
          detail,
          request_id: requestId,
          ip,
          at: atMs,
        })
        .execute();
    },
    async listAuditEvents(accountId, beforeId, limit) {
      let rows = db
        .selectFrom('audit_events')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .limit(limit);
      if (beforeId !== undefined) rows = rows.where('id', '<', beforeId);
      return (await rows.execute()).map((row) => ({
        id: row.id,
        accountId,
        event: row.event as AuditEventName,
        detail: row.detail,
        requestId: row.request_id,
        ip: row.ip,
        atMs: row.at,
      }));
    },
    async findLastEvent(accountId, event) {
      const row = await db
        .selectFrom('audit_events')
        .select('at')
        .where('account_id', '=', accountId)
        .where('event', '=', event)
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.at ?? null;
    },
  };
}
