import { ApiError } from '#errors';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { AccountDeps } from './account-deps.ts';
import { formatTime } from './account-json.ts';
import { requireSession } from './guard-request.ts';
import { createQueryReader, members, optional, text } from './parse-input.ts';

const STATUSES = { '2xx': [200, 299], '4xx': [400, 499], '5xx': [500, 599] } as const;
const AUDIT_PAGE = 50;

/** The request log of the last 7 days, and the account's audit trail. */
export function routeLogs(scope: FastifyInstance, { access, keys, usage }: AccountDeps): void {
  const readRequests = createQueryReader(
    members({
      operation: optional(text(50)),
      status_class: optional(
        Type.Union([Type.Literal('2xx'), Type.Literal('4xx'), Type.Literal('5xx')], {
          description: '2xx, 4xx or 5xx',
        }),
      ),
      key_id: optional(text(100)),
      before: optional(text(100)),
      after: optional(text(100)),
      limit: optional(text(10)),
    }),
  );
  const readAudit = createQueryReader(members({ before: optional(text(100)) }));

  scope.get('/requests', {
    handler: async (request) => {
      const { account } = requireSession(request);
      const query = readRequests(request);
      const { requests, nextId } = await usage.listRequests({
        accountId: account.id,
        operation: query.operation,
        statuses: query.status_class && STATUSES[query.status_class],
        keyId: query.key_id,
        beforeId: query.before,
        afterId: query.after,
        limit: readLimit(query.limit),
      });
      const names = new Map((await keys.listKeys(account.id)).map((key) => [key.id, key.name]));
      return {
        requests: requests.map((line) => ({
          id: line.id,
          at: formatTime(line.atMs),
          operation: line.operation,
          status: line.status,
          ms: line.ms,
          key_id: line.keyId,
          key_name: names.get(line.keyId) ?? '',
          request_id: line.requestId,
        })),
        next: nextId,
      };
    },
  });
  scope.get('/audit', {
    handler: async (request) => {
      const { account } = requireSession(request);
      const events = await access.store.listAuditEvents(account.id, readAudit(request).before, AUDIT_PAGE);
      return {
        events: events.map((event) => ({
          id: event.id,
          at: formatTime(event.atMs),
          event: event.event,
          detail: event.detail,
          request_id: event.requestId,
        })),
        next: events.length === AUDIT_PAGE ? (events.at(-1)?.id ?? null) : null,
      };
    },
  });
}

function readLimit(value = '50'): number {
  const limit = Number(value);
  if (!/^\d{1,3}$/.test(value) || limit < 1 || limit > 200)
    throw new ApiError('invalid_parameter', 'limit must be a whole number from 1 to 200.', {
      param: 'limit',
    });
  return limit;
}
