/** Running an operation from the page: the service runs it under a key of the account; the key itself never comes here. */
import { queryString, readError, RequestError, send } from './request.ts';
import type { Operation } from './types.ts';

/** What came back, whatever its status: the operation's own answer. */
export interface TryAnswer {
  status: number;
  statusText: string;
  headers: [string, string][];
  /** From sending to the last byte, as this browser saw it. */
  ms: number;
  bytes: number;
  body: { kind: 'json'; text: string } | { kind: 'pdf'; data: ArrayBuffer } | { kind: 'text'; text: string };
}

/** Headers worth showing, in this order; the others are of the transport. */
const SHOWN_HEADERS = [
  'content-type',
  'content-length',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'x-request-id',
  'x-pdf-pages',
  'content-disposition',
];

/** Runs one operation under the key `keyId`; rejects with RequestError when the service did not run it at all. */
export async function runOperation(
  operation: Operation,
  keyId: string,
  members: Record<string, unknown>,
): Promise<TryAnswer> {
  const startedMs = performance.now();
  const response = await send('POST', `/account/try/${operation}${queryString({ key_id: keyId })}`, {
    body: members,
    headers: { accept: '*/*' },
  });
  // Without the limit's headers it is not the operation that answered, but the account API: no session, no such key.
  if (!response.ok && !response.headers.has('x-ratelimit-limit')) throw await readError(response);
  const data = await response.arrayBuffer().catch(() => {
    throw new RequestError('The connection broke off in the middle of the answer. Send it again.', {
      status: 0,
      code: 'offline',
    });
  });
  return {
    status: response.status,
    statusText: STATUS_TEXTS[response.status] ?? response.statusText,
    headers: SHOWN_HEADERS.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
    ms: Math.round(performance.now() - startedMs),
    bytes: data.byteLength,
    body: readBody(response.headers.get('content-type') ?? '', data),
  };
}

function readBody(contentType: string, data: ArrayBuffer): TryAnswer['body'] {
  if (contentType.startsWith('application/pdf')) return { kind: 'pdf', data };
  const text = new TextDecoder().decode(data);
  if (!contentType.startsWith('application/json')) return { kind: 'text', text };
  try {
    return { kind: 'json', text: JSON.stringify(JSON.parse(text), null, 2) };
  } catch {
    return { kind: 'text', text };
  }
}

// HTTP/2 carries no status text.
const STATUS_TEXTS: Record<number, string> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
