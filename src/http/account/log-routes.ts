import { AUDIT_EVENTS, AUDIT_RETENTION_DAYS } from '#accounts/sign-in';
import type { LoggedRequest } from '#usage';
import { type Static, Type } from 'typebox';
import { createQueryParser } from '../query.ts';
import { nullable, strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { formatTime } from './account-json.ts';
import type { AccountScope } from './account-scope.ts';
import { requireSession } from './guard-request.ts';
import { text } from './parse-input.ts';

const STATUSES = { '2xx': [200, 299], '4xx': [400, 499], '5xx': [500, 599] } as const;
const REQUESTS_PAGE = 50;
const AUDIT_PAGE = 50;

/** Adds the endpoints of the request log (7 days) and of the account's audit trail. */
export function routeLogs(scope: AccountScope, deps: AccountDeps): void {
  routeRequestLog(scope, deps);
  routeAuditTrail(scope, deps);
}

/** A line of the request log as JSON. */
export const loggedRequest = strict({
  id: Type.String(),
  at: Type.String(),
  operation: Type.String(),
  status: Type.Integer(),
  ms: Type.Integer(),
  key_id: Type.String(),
  key_name: Type.String(),
  request_id: Type.String(),
});

export function toRequestJson(line: LoggedRequest, keyName: string): Static<typeof loggedRequest> {
  return {
    id: line.id,
    at: formatTime(line.atMs),
    operation: line.operation,
    status: line.status,
    ms: line.ms,
    key_id: line.keyId,
    key_name: keyName,
    request_id: line.requestId,
  };
}

function routeRequestLog(scope: AccountScope, { keys, usage }: AccountDeps): void {
  const parseQuery = createQueryParser(
    strict({
      operation: Type.Optional(text(50)),
      status_class: Type.Optional(
        Type.Union([Type.Literal('2xx'), Type.Literal('4xx'), Type.Literal('5xx')]),
      ),
      key_id: Type.Optional(text(100)),
      before: Type.Optional(text(100)),
      after: Type.Optional(text(100)),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    }),
    { skipsEmpty: true },
  );
  scope.get('/requests', {
    schema: { response: { 200: strict({ requests: Type.Array(loggedRequest), next: nullable('string') }) } },
    handler: async (request) => {
      const { account } = requireSession(request);
      const query = parseQuery(request.raw.url ?? '');
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
      const lines = requests.map((line) => toRequestJson(line, names.get(line.keyId) ?? ''));
      return { requests: lines, next: nextId };
    },
  });
}

const auditEvent = strict({
  id: Type.String(),
  at: Type.String(),
  event: Type.Enum(AUDIT_EVENTS),
  detail: Type.String(),
  request_id: nullable('string'),
  ip: nullable('string'),
});

const auditPage = strict({
  events: Type.Array(auditEvent),
  next: nullable('string'),
  // Older events are deleted.
  retention_days: Type.Integer(),
});

function routeAuditTrail(scope: AccountScope, { access }: AccountDeps): void {
  const parseQuery = createQueryParser(strict({ before: Type.Optional(text(100)) }), { skipsEmpty: true });
  scope.get('/audit', {
    schema: { response: { 200: auditPage } },
    handler: async (request) => {
      const { account } = requireSession(request);
      const { before } = parseQuery(request.raw.url ?? '');
      const page = await access.store.listAuditEvents(account.id, before, AUDIT_PAGE);
      const events = page.map((event) => ({
        id: event.id,
        at: formatTime(event.atMs),
        event: event.event,
        detail: event.detail,
        request_id: event.requestId,
        ip: event.ip,
      }));
      const next = page.length === AUDIT_PAGE ? (page.at(-1)?.id ?? null) : null;
      return { events, next, retention_days: AUDIT_RETENTION_DAYS };
    },
  });
}
