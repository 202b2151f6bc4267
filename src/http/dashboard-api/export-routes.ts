import { Readable } from 'node:stream';
import type { AccountStore, ExportCursor } from '#accounts';
import { recordAudit } from '#accounts/sign-in';
import { Type } from 'typebox';
import type { AccountDeps } from './account-deps.ts';
import { formatTime } from './account-json.ts';
import type { AccountScope } from './account-scope.ts';
import { getAuditSource, requireSession } from './guard-request.ts';

const BODY = Type.Unsafe<Readable>({ type: 'string' });

/** Adds the endpoint that downloads all data of the account as one JSON document. */
export function routeExport(scope: AccountScope, { access, accounts, now }: AccountDeps): void {
  scope.get('/export', {
    schema: { response: { 200: { content: { 'application/json': { schema: BODY } } } } },
    handler: async (request, reply) => {
      const { id } = requireSession(request).account;
      await access.throttle.consumeExport(id);
      recordAudit(access, id, 'data.downloaded', '', getAuditSource(request));
      const exportedAt = formatTime(now());
      return reply
        .header('content-disposition', `attachment; filename="account-data-${exportedAt.slice(0, 10)}.json"`)
        .type('application/json; charset=utf-8')
        .send(Readable.from(formatExport(accounts, id, exportedAt)));
    },
  });
}

/**
 * Formats the data of an account as one JSON object with an array for each section. A page is loaded when the
 * one before it was sent, so that the memory does not depend on the amount of data.
 */
export async function* formatExport(
  accounts: Pick<AccountStore, 'loadExportPage'>,
  accountId: string,
  exportedAt: string,
): AsyncGenerator<string> {
  yield `{\n"exported_at": ${JSON.stringify(exportedAt)}`;
  let open: string | null = null;
  let isFirstRow = true;
  for (let cursor: ExportCursor | null = { section: 0, after: null }; cursor !== null;) {
    const { section, rows, next } = await accounts.loadExportPage(accountId, cursor);
    let text = '';
    if (section !== open) {
      text += `${open === null ? '' : '\n]'},\n${JSON.stringify(section)}: [`;
      open = section;
      isFirstRow = true;
    }
    for (const row of rows) {
      text += `${isFirstRow ? '' : ','}\n${JSON.stringify(row)}`;
      isFirstRow = false;
    }
    if (text !== '') yield text;
    cursor = next;
  }
  yield `${open === null ? '' : '\n]'}\n}\n`;
}
