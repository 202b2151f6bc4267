import { setImmediate } from 'node:timers/promises';
import type { KeyStore } from '#accounts';
import { AUDIT_EVENTS, AUDIT_RETENTION_DAYS } from '#accounts/sign-in';
import { ApiError } from '#errors';
import { type LoggedRequest, type RequestFilter, USAGE_RETENTION_DAYS, type UsageStore } from '#usage';
import { Type } from 'typebox';
import { createQueryParser } from '../query.ts';
import { nullable, strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { formatTime } from './account-json.ts';
import type { AccountScope } from './account-scope.ts';
import { requireSession } from './guard-request.ts';
import { parseLogFilterQuery, parseLogQuery, toRequestFilter } from './log-filter.ts';
import { histogram, loadHistogram } from './log-histogram.ts';
import { formatLogCsv, loggedRequest, toLogLine } from './log-line.ts';
import { ID_PARAMS, text } from './parse-input.ts';

const REQUESTS_PAGE = 50;
/** A file has at most 10,000 lines. */
const CSV_PAGE = 500;
const MAX_CSV_PAGES = 20;
const AUDIT_PAGE = 50;

/** Adds the endpoints of the request log (7 days) and of the account's audit trail. */
export function routeLogs(scope: AccountScope, deps: AccountDeps): void {
  routeRequestLog(scope, deps);
  routeLoggedRequest(scope, deps);
  routeRequestHistogram(scope, deps);
  routeRequestCsv(scope, deps);
  routeRetention(scope);
  routeAuditTrail(scope, deps);
}

function routeRequestLog(scope: AccountScope, { keys, usage }: AccountDeps): void {
  const page = strict({ requests: Type.Array(loggedRequest), next: nullable('string') });
  scope.get('/requests', {
    schema: { response: { 200: page } },
    handler: async (request) => {
      const { account } = requireSession(request);
      const query = parseLogQuery(request.raw.url ?? '');
      const filter = toRequestFilter(query, account.id);
      const names = await loadKeyNames(keys, account.id);
      const exact = await findExact(usage, query.request_id, account.id);
      if (exact) return { requests: [toLogLine(exact, names)], next: null };
      const { requests, nextId } = await usage.listRequests({
        ...filter,
        beforeId: query.before,
        afterId: query.after,
        limit: query.limit ?? REQUESTS_PAGE,
      });
      return { requests: requests.map((line) => toLogLine(line, names)), next: nextId };
    },
  });
}

/** A whole id is found by an index, whatever else the filter says; a part of one is searched for. */
async function findExact(
  usage: UsageStore,
  requestId: string | undefined,
  accountId: string,
): Promise<LoggedRequest | null> {
  return requestId === undefined ? null : usage.findRequest(requestId, accountId);
}

async function loadKeyNames(keys: KeyStore, accountId: string): Promise<Map<string, string>> {
  return new Map((await keys.listKeys(accountId)).map((key) => [key.id, key.name]));
}

/** Adds the endpoint of one line, by the id that the response had in X-Request-Id. */
function routeLoggedRequest(scope: AccountScope, { keys, usage }: AccountDeps): void {
  scope.get('/requests/:id', {
    schema: { params: ID_PARAMS, response: { 200: strict({ request: loggedRequest }) } },
    handler: async (request) => {
      const { account } = requireSession(request);
      const line = await usage.findRequest(request.params.id, account.id);
      if (!line) throw new ApiError('not_found', 'The log has no request with this id.');
      return { request: toLogLine(line, await loadKeyNames(keys, account.id)) };
    },
  });
}

function routeRequestHistogram(scope: AccountScope, { usage, now }: AccountDeps): void {
  scope.get('/requests/histogram', {
    schema: { response: { 200: histogram } },
    handler: async (request) => {
      const query = parseLogFilterQuery(request.raw.url ?? '');
      return loadHistogram(usage, toRequestFilter(query, requireSession(request).account.id), now());
    },
  });
}

function routeRequestCsv(scope: AccountScope, { keys, usage, now }: AccountDeps): void {
  scope.get('/requests.csv', {
    schema: { response: { 200: { content: { 'text/csv': { schema: Type.String() } } } } },
    handler: async (request, reply) => {
      const { account } = requireSession(request);
      const query = parseLogFilterQuery(request.raw.url ?? '');
      const lines = await loadLines(usage, toRequestFilter(query, account.id));
      const names = await loadKeyNames(keys, account.id);
      const day = formatTime(now()).slice(0, 10);
      return reply
        .header('content-disposition', `attachment; filename="requests-${day}.csv"`)
        .type('text/csv; charset=utf-8')
        .send(formatLogCsv(lines.map((line) => toLogLine(line, names))));
    },
  });
}

/** Loads the newest lines that a filter selects, from a bounded part of the log. */
async function loadLines(usage: UsageStore, filter: RequestFilter): Promise<LoggedRequest[]> {
  const lines: LoggedRequest[] = [];
  let beforeId: string | undefined;
  for (let page = 0; page < MAX_CSV_PAGES; page += 1) {
    const { requests, nextId } = await usage.listRequests({ ...filter, beforeId, limit: CSV_PAGE });
    lines.push(...requests);
    if (nextId === null) break;
    beforeId = nextId;
    await setImmediate();
  }
  return lines;
}

const DAYS = Type.Integer();

/** Adds the endpoint that says how long data is kept, in days. */
function routeRetention(scope: AccountScope): void {
  const retention = strict({
    requests_days: DAYS,
    usage_minutes_days: DAYS,
    usage_days: DAYS,
    usage_months_days: DAYS,
    audit_days: DAYS,
  });
  scope.get('/retention', {
    schema: { response: { 200: retention } },
    handler: async () => ({
      requests_days: USAGE_RETENTION_DAYS.requests,
      usage_minutes_days: USAGE_RETENTION_DAYS.minutes,
      usage_days: USAGE_RETENTION_DAYS.counts,
      usage_months_days: USAGE_RETENTION_DAYS.months,
      audit_days: AUDIT_RETENTION_DAYS,
    }),
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
