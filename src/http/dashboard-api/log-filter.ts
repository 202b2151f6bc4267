/** The filter of the request log, as its three endpoints take it in the query string. */
import { OPERATIONS } from '#accounts';
import { ApiError, ERRORS } from '#errors';
import type { RequestFilter } from '#usage';
import { Type } from 'typebox';
import { createQueryParser } from '../query.ts';
import { strict } from '../schema.ts';
import { parseList, parseTime, text } from './parse-input.ts';

const CLASSES = { '2xx': [200, 299], '4xx': [400, 499], '5xx': [500, 599] } as const;

/** Requests to paths of no operation have the operation `none`. */
export const LOGGED_OPERATIONS: readonly string[] = [...OPERATIONS, 'none'];
/** The error of a request whose client closed the connection before the response. */
export const DISCONNECTED = 'disconnected';
const LOGGED_ERRORS: readonly string[] = [...Object.keys(ERRORS), DISCONNECTED];

const LIST = text(1_000);
const FILTER = {
  operation: Type.Optional(LIST),
  status_class: Type.Optional(LIST),
  status: Type.Optional(LIST),
  error: Type.Optional(LIST),
  key_id: Type.Optional(LIST),
  min_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  from: Type.Optional(text(40)),
  to: Type.Optional(text(40)),
  request_id: Type.Optional(text(100)),
};

export const parseLogQuery = createQueryParser(
  strict({
    ...FILTER,
    before: Type.Optional(text(100)),
    after: Type.Optional(text(100)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  { skipsEmpty: true },
);

export const parseLogFilterQuery = createQueryParser(strict(FILTER), { skipsEmpty: true });

/** The members of a query that make the filter. */
type LogFilterQuery = ReturnType<typeof parseLogFilterQuery>;

/** Returns the filter of a query. Throws `invalid_parameter`. */
export function toRequestFilter(query: LogFilterQuery, accountId: string): RequestFilter {
  const fromMs = query.from === undefined ? undefined : parseTime(query.from, 'from');
  const toMs = query.to === undefined ? undefined : parseTime(query.to, 'to');
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs)
    throw new ApiError('invalid_parameter', 'from must be before to.', { param: 'from' });
  return {
    accountId,
    operations: parseList(query.operation, 'operation', LOGGED_OPERATIONS),
    statuses: parseStatuses(query),
    errors: parseList(query.error, 'error', LOGGED_ERRORS),
    keyIds: parseList(query.key_id, 'key_id'),
    minMs: query.min_ms,
    fromMs,
    toMs,
    requestIdPart: query.request_id,
  };
}

function parseStatuses({ status_class, status }: LogFilterQuery): RequestFilter['statuses'] {
  const classes = parseList(status_class, 'status_class', Object.keys(CLASSES)) ?? [];
  const statuses = parseList(status, 'status') ?? [];
  if (classes.length + statuses.length === 0) return undefined;
  return [
    ...classes.map((name) => CLASSES[name as keyof typeof CLASSES]),
    ...statuses.map((value): [number, number] => {
      if (!/^[2-5]\d\d$/.test(value))
        throw new ApiError('invalid_parameter', 'status must be statuses such as 408,422.', {
          param: 'status',
        });
      return [Number(value), Number(value)];
    }),
  ];
}
