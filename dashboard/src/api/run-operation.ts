/**
 * Runs an operation under one of the account's keys. The service holds the key; its secret is not sent here.
 */
import type { Operation } from '../components/operations.ts';
import { formatQuery, parseError, RequestError, send } from './request.ts';

/** The operation's own response, whatever its status. */
export interface OperationResponse {
  status: number;
  statusText: string;
  headers: [string, string][];
  /** From sending to the last byte, measured in this browser. */
  ms: number;
  bytes: number;
  body: { kind: 'json'; text: string } | { kind: 'pdf'; data: ArrayBuffer } | { kind: 'text'; text: string };
}

/** Headers to show, in this order; the others belong to the transport. */
const SHOWN_HEADERS = [
  'content-type',
  'content-length',
  'age',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
  'retry-after',
  'x-request-id',
  'x-pdf-pages',
  'x-pdf-warnings',
  'x-pdf-warning',
  'content-disposition',
];

/** Runs one operation under the key `keyId`. Throws RequestError if the service did not run it. */
export async function runOperation(
  operation: Operation,
  keyId: string,
  members: Record<string, unknown>,
): Promise<OperationResponse> {
  const startedMs = performance.now();
  const response = await send('POST', `/account/try/${operation}${formatQuery({ key_id: keyId })}`, {
    body: members,
    headers: { accept: '*/*' },
  });
  // A response without the limit's headers is the account API's: no session, or no such key.
  if (!response.ok && !response.headers.has('x-ratelimit-limit')) throw await parseError(response);
  const data = await response.arrayBuffer().catch(() => {
    throw new RequestError('The connection was lost during the response. Send it again.', {
      status: 0,
      code: 'offline',
    });
  });
  return {
    status: response.status,
    statusText: STATUS_TEXTS[response.status] ?? response.statusText,
    headers: SHOWN_HEADERS.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : splitRepeated(name, value).map((one) => [name, one]);
    }),
    ms: Math.round(performance.now() - startedMs),
    bytes: data.byteLength,
    body: parseBody(response.headers.get('content-type') ?? '', data),
  };
}

/** Splits the values of a header that is sent several times, which `fetch` joins: they are sentences. */
function splitRepeated(name: string, value: string): string[] {
  return name === 'x-pdf-warning' ? value.split(/(?<=\.), (?=[A-Z])/) : [value];
}

function parseBody(contentType: string, data: ArrayBuffer): OperationResponse['body'] {
  if (contentType.startsWith('application/pdf')) return { kind: 'pdf', data };
  const text = new TextDecoder().decode(data);
  if (!contentType.startsWith('application/json')) return { kind: 'text', text };
  try {
    return { kind: 'json', text: JSON.stringify(JSON.parse(text), null, 2) };
  } catch {
    return { kind: 'text', text };
  }
}

// HTTP/2 has no status text.
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
