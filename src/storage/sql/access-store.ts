import type { ExpressionBuilder, Kysely } from 'kysely';
import type { AccessStore, AuditEventName } from '#accounts/sign-in';
import { createAuthDatabase } from './auth-database.ts';
import { createLinks, pruneLinks } from './links.ts';
import { createPasswords } from './passwords.ts';
import { createIdentities, createSecondFactors } from './second-factors.ts';
import { createSortedId } from './request-log.ts';
import type { Schema } from './schema.ts';

/**
 * Creates the store of sessions, passwords, links, the audit trail and generated secrets. `onKeyChange` is
 * called after keys were revoked.
 */
export function createAccessStore(db: Kysely<Schema>, onKeyChange: (accountId: string) => void): AccessStore {
  return {
    authDatabase: createAuthDatabase(db),
    ...createSessions(db),
    ...createPasswords(db, onKeyChange),
    ...createSecondFactors(db),
    ...createIdentities(db),
    ...createLinks(db),
    ...createAuditTrail(db),
    async findOrCreateSecret(name, candidate) {
      await db
        .insertInto('secrets')
        .values({ name, value: candidate })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      const row = await db
        .selectFrom('secrets')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return row.value;
    },
    async pruneAccess(nowMs, historyBeforeMs) {
      for (const table of ['sessions', 'verifications', 'used_codes'] as const)
        await db.deleteFrom(table).where('expires_at', '<', nowMs).execute();
      await pruneLinks(db, nowMs, historyBeforeMs);
      // Entries of no account, about failed sign-ins, have no reader.
      const isOld = (eb: ExpressionBuilder<Schema, 'audit_events'>) =>
        eb.or([eb('at', '<', historyBeforeMs), eb.and([eb('account_id', '=', ''), eb('at', '<', nowMs)])]);
      await db.deleteFrom('audit_events').where(isOld).execute();
      await db
        .deleteFrom('api_keys')
        .where((eb) =>
          eb.or([eb('revoked_at', '<', historyBeforeMs), eb('expires_at', '<', historyBeforeMs)]),
        )
        .execute();
    },
  };
}

type Sessions = 'listSessions' | 'deleteSession' | 'deleteSessions' | 'deleteOtherSessions';

function createSessions(db: Kysely<Schema>): Pick<AccessStore, Sessions> {
  return {
    async listSessions(accountId, seenAfterMs, startedAfterMs) {
      const rows = await db
        .selectFrom('sessions')
        .select(['id', 'created_at', 'updated_at', 'user_agent', 'ip_address'])
        .where('account_id', '=', accountId)
        .where('updated_at', '>', seenAfterMs)
        .where('created_at', '>', startedAfterMs)
        .orderBy('updated_at', 'desc')
        .limit(100)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        createdAtMs: row.created_at,
        lastSeenAtMs: row.updated_at,
        userAgent: row.user_agent ?? '',
        ip: row.ip_address || null,
      }));
    },
    async deleteSession(accountId, sessionId) {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('id', '=', sessionId)
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
    async deleteSessions(accountId) {
      await db.deleteFrom('sessions').where('account_id', '=', accountId).execute();
    },
    async deleteOtherSessions(accountId, keptId) {
      await db.deleteFrom('sessions').where('account_id', '=', accountId).where('id', '<>', keptId).execute();
    },
  };
}

/** Entries of one event per account in 24 hours; further ones are not stored. */
const MAX_ENTRIES_OF_DAY = 1_000;

type AuditTrail = 'insertAuditEvent' | 'listAuditEvents' | 'findLastEvent';

function createAuditTrail(db: Kysely<Schema>): Pick<AccessStore, AuditTrail> {
  return {
    async insertAuditEvent({ accountId, event, detail, requestId, ip, atMs }) {
      const last = db.selectFrom('audit_events').select('at').where('account_id', '=', accountId);
      const full = last
        .where('event', '=', event)
        .orderBy('at', 'desc')
        .offset(MAX_ENTRIES_OF_DAY - 1)
        .limit(1);
      const { at = 0 } = accountId === '' ? {} : ((await full.executeTakeFirst()) ?? {});
      if (at > atMs - 86_400_000) return;
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
