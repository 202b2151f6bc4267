import type { Kysely, Selectable } from 'kysely';
import type { AccessStore, AuditEventName, Link } from '#accounts/sign-in';
import { createAuthDatabase } from './auth-database.ts';
import { createPasswords } from './passwords.ts';
import { createIdentities, createSecondFactors } from './second-factors.ts';
import type { LinkRow, Schema } from './schema.ts';
import { createSortedId } from './sorted-id.ts';

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
      for (const table of ['sessions', 'verifications', 'links', 'used_codes'] as const)
        await db.deleteFrom(table).where('expires_at', '<', nowMs).execute();
      await db.deleteFrom('audit_events').where('at', '<', historyBeforeMs).execute();
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
        .select(['id', 'created_at', 'updated_at', 'user_agent'])
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

type Links = 'insertLink' | 'findLink' | 'useLink' | 'deleteLinks';

function createLinks(db: Kysely<Schema>): Pick<AccessStore, Links> {
  return {
    async insertLink({ tokenHash, purpose, email, expiresAtMs }) {
      await db
        .insertInto('links')
        .values({ token_hash: tokenHash, purpose, email, expires_at: expiresAtMs })
        .execute();
    },
    async findLink(purpose, tokenHash, nowMs) {
      const row = await db
        .selectFrom('links')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where('purpose', '=', purpose)
        .where('expires_at', '>', nowMs)
        .executeTakeFirst();
      return row ? toLink(row) : null;
    },
    async useLink(purpose, tokenHash, nowMs) {
      const row = await db
        .deleteFrom('links')
        .where('token_hash', '=', tokenHash)
        .where('purpose', '=', purpose)
        .where('expires_at', '>', nowMs)
        .returningAll()
        .executeTakeFirst();
      return row ? toLink(row) : null;
    },
    async deleteLinks(purpose) {
      await db.deleteFrom('links').where('purpose', '=', purpose).execute();
    },
  };
}

function toLink(row: Selectable<LinkRow>): Link {
  return { tokenHash: row.token_hash, purpose: row.purpose, email: row.email, expiresAtMs: row.expires_at };
}

function createAuditTrail(db: Kysely<Schema>): Pick<AccessStore, 'insertAuditEvent' | 'listAuditEvents'> {
  return {
    async insertAuditEvent({ accountId, event, detail, requestId, atMs }) {
      await db
        .insertInto('audit_events')
        .values({
          id: createSortedId(atMs),
          account_id: accountId,
          event,
          detail,
          request_id: requestId,
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
        atMs: row.at,
      }));
    },
  };
}
