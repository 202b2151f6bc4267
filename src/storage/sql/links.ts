import type { Kysely, Selectable } from 'kysely';
import type { AccessStore, Link, NewLink } from '#accounts/sign-in';
import type { LinkRow, Schema } from './schema.ts';

type Links = 'insertLink' | 'findLink' | 'useLink' | 'deleteLinks' | 'listInvitations' | 'deleteInvitation';

/** Creates the store of one-time links. */
export function createLinks(db: Kysely<Schema>): Pick<AccessStore, Links> {
  return {
    async insertLink(link) {
      await db.insertInto('links').values(toRow(link)).execute();
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
    useLink: (purpose, tokenHash, nowMs) =>
      purpose === 'invite' ? useInvitation(db, tokenHash, nowMs) : takeLink(db, purpose, tokenHash, nowMs),
    async deleteLinks(purpose) {
      await db.deleteFrom('links').where('purpose', '=', purpose).execute();
    },
    async listInvitations(limit) {
      const rows = await db
        .selectFrom('links')
        .selectAll()
        .where('purpose', '=', 'invite')
        .orderBy(({ fn, lit }) => fn.coalesce('created_at', lit(0)), 'desc')
        .orderBy('token_hash')
        .limit(limit)
        .execute();
      return rows.map(toLink);
    },
    async deleteInvitation(tokenHash) {
      const { numDeletedRows } = await db
        .deleteFrom('links')
        .where('token_hash', '=', tokenHash)
        .where('purpose', '=', 'invite')
        .where('used_at', 'is', null)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}

/** Deletes expired links, and invitations that expired before `historyBeforeMs`: administrators list them. */
export async function pruneLinks(db: Kysely<Schema>, nowMs: number, historyBeforeMs: number): Promise<void> {
  await db.deleteFrom('links').where('purpose', '<>', 'invite').where('expires_at', '<', nowMs).execute();
  await db.deleteFrom('links').where('expires_at', '<', historyBeforeMs).execute();
}

async function useInvitation(db: Kysely<Schema>, tokenHash: string, nowMs: number): Promise<Link | null> {
  const row = await db
    .updateTable('links')
    // Replicas of a release before `used_at` must not accept it again: for them it has expired.
    .set({ used_at: nowMs, expires_at: nowMs })
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', 'invite')
    .where('expires_at', '>', nowMs)
    .returningAll()
    .executeTakeFirst();
  return row ? toLink(row) : null;
}

async function takeLink(
  db: Kysely<Schema>,
  purpose: Link['purpose'],
  tokenHash: string,
  nowMs: number,
): Promise<Link | null> {
  const row = await db
    .deleteFrom('links')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', nowMs)
    .returningAll()
    .executeTakeFirst();
  return row ? toLink(row) : null;
}

function toRow(link: NewLink): LinkRow {
  return {
    token_hash: link.tokenHash,
    purpose: link.purpose,
    email: link.email,
    expires_at: link.expiresAtMs,
    created_at: link.createdAtMs ?? null,
    created_by: link.createdBy ?? null,
    used_at: null,
  };
}

function toLink(row: Selectable<LinkRow>): Link {
  return {
    tokenHash: row.token_hash,
    purpose: row.purpose,
    email: row.email,
    expiresAtMs: row.expires_at,
    createdAtMs: row.created_at,
    createdBy: row.created_by,
    usedAtMs: row.used_at,
  };
}
