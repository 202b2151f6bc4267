import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { createQueryParser } from '../query.ts';
import type { AccountDeps } from './account-deps.ts';
import { formatTime } from './account-json.ts';
import { requireSession } from './guard-request.ts';
import { members, optional, text } from './parse-input.ts';

const STATUSES = { '2xx': [200, 299], '4xx': [400, 499], '5xx': [500, 599] } as const;
const REQUESTS_PAGE = 50;
const AUDIT_PAGE = 50;

/** Adds the endpoints of the request log (7 days) and of the account's audit log. */
export function routeLogs(scope: FastifyInstance, { access, keys, usage }: AccountDeps): void {
  const parseRequestsQuery = createQueryParser(
    members({
      operation: optional(text(50)),
      status_class: optional(Type.Union([Type.Literal('2xx'), Type.Literal('4xx'), Type.Literal('5xx')])),
      key_id: optional(text(100)),
      before: optional(text(100)),
      after: optional(text(100)),
      limit: optional(Type.Integer({ minimum: 1, maximum: 200 })),
    }),
    { skipsEmpty: true },
  );
  const parseAuditQuery = createQueryParser(members({ before: optional(text(100)) }), { skipsEmpty: true });

  scope.get('/requests', {
    handler: async (request) => {
      const { account } = requireSession(request);
      const query = parseRequestsQuery(request.raw.url ?? '');
      const { requests, nextId } = await usage.listRequests({
        accountId: account.id,
        operation: query.operation,
        statuses: query.status_class && STATUSES[query.status_class],
        keyId: query.key_id,
        beforeId: query.before,
        afterId: query.after,
        limit: query.limit ?? REQUESTS_PAGE,
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
      const events = await access.store.listAuditEvents(
        account.id,
        parseAuditQuery(request.raw.url ?? '').before,
        AUDIT_PAGE,
      );
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
