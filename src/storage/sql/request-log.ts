import type { Kysely } from 'kysely';
import type { LoggedRequest, NewLoggedRequest, RequestLogPage, RequestLogQuery } from '#usage';
import type { Schema, UsageRequestRow } from './schema.ts';
import { createSortedId } from './sorted-id.ts';

/** The lines of the log that one page's filter searches. */
const SCANNED_LINES = 20_000;

/** Returns a page of an account's request log, newest first. */
export async function listRequests(db: Kysely<Schema>, query: RequestLogQuery): Promise<RequestLogPage> {
  const { accountId, operation, statuses, keyId, beforeId, afterId, limit } = query;
  const lines = await db
    .selectFrom('usage_requests')
    .select('id')
    .where('account_id', '=', accountId)
    .$if(beforeId !== undefined, (scan) => scan.where('id', '<', beforeId ?? ''))
    .$if(afterId !== undefined, (scan) => scan.where('id', '>', afterId ?? ''))
    .orderBy('id', 'desc')
    .offset(SCANNED_LINES - 1)
    .limit(1)
    .executeTakeFirst();
  const floorId = lines?.id;
  const rows = await db
    .selectFrom('usage_requests')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(beforeId !== undefined, (scan) => scan.where('id', '<', beforeId ?? ''))
    .$if(afterId !== undefined, (scan) => scan.where('id', '>', afterId ?? ''))
    .$if(floorId !== undefined, (scan) => scan.where('id', '>=', floorId ?? ''))
    .$if(operation !== undefined, (scan) => scan.where('operation', '=', operation ?? ''))
    .$if(keyId !== undefined, (scan) => scan.where('key_id', '=', keyId ?? ''))
    .$if(statuses !== undefined, (scan) =>
      scan.where('status', '>=', statuses?.[0] ?? 0).where('status', '<=', statuses?.[1] ?? 999),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const lastId = rows.length === limit ? rows.at(-1)?.id : floorId;
  return { requests: rows.map(toRequest), nextId: lastId ?? null };
}

/** Returns the newest line with a request id (see `UsageStore.findRequest`). */
export async function findRequest(
  db: Kysely<Schema>,
  requestId: string,
  accountId: string | null,
): Promise<LoggedRequest | null> {
  const row = await db
    .selectFrom('usage_requests')
    .selectAll()
    .where('request_id', '=', requestId)
    .$if(accountId !== null, (lines) => lines.where('account_id', '=', accountId ?? ''))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? toRequest(row) : null;
}

/** Converts a line of the log to a row, with a new id. */
export function toRequestRow(request: NewLoggedRequest): UsageRequestRow {
  return {
    id: createSortedId(request.atMs),
    account_id: request.accountId,
    key_id: request.keyId,
    operation: request.operation,
    status: request.status,
    ms: request.ms,
    request_id: request.requestId,
    at: request.atMs,
  };
}

function toRequest(row: UsageRequestRow): LoggedRequest {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    operation: row.operation,
    status: row.status,
    ms: row.ms,
    requestId: row.request_id,
    atMs: row.at,
  };
}
