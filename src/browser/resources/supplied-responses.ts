import type { Protocol } from 'devtools-protocol';
import type { CdpParams } from '../cdp/cdp-connection.ts';
import type { Resource } from './fetch-resource.ts';

type Header = Protocol.Fetch.HeaderEntry;
/** The parameters of Fetch.fulfillRequest except for the request id. */
export type SuppliedResponse = Pick<
  CdpParams<'Fetch.fulfillRequest'>,
  'responseCode' | 'responseHeaders' | 'body'
>;

/**
 * Headers about the transfer of the body, about cookies, and about the origins that may read the response.
 */
const DROPPED_HEADERS = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'set-cookie',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'timing-allow-origin',
]);

/** Returns the response that supplies a fetched resource to the browser. */
export function toResponse(
  request: Protocol.Network.Request,
  { status, headers, body }: Resource,
): SuppliedResponse {
  return {
    responseCode: status,
    responseHeaders: [...selectHeaders(headers, DROPPED_HEADERS), ...allowOrigin(request)],
    body,
  };
}

/** Returns the headers of a response except for the dropped ones, as CDP has them. */
export function selectHeaders(headers: Resource['headers'], dropped: ReadonlySet<string>): Header[] {
  return headers.filter(([name]) => !dropped.has(name)).map(([name, value]) => ({ name, value }));
}

/**
 * Returns the response to a CORS-preflight request (Fetch standard §4.8); null for any other request. The
 * browser makes one before a script's request that a form could not make. No script can set its header.
 */
export function toPreflightResponse(request: Protocol.Network.Request): SuppliedResponse | null {
  const method = findHeader(request, 'access-control-request-method');
  if (request.method !== 'OPTIONS' || method === null) return null;
  const headers = findHeader(request, 'access-control-request-headers');
  return {
    responseCode: 204,
    responseHeaders: [
      { name: 'access-control-allow-methods', value: method },
      ...(headers === null ? [] : [{ name: 'access-control-allow-headers', value: headers }]),
      ...allowOrigin(request),
    ],
  };
}

/**
 * Allows every origin to read the response. A request has no credentials except those that the document
 * itself put into it, so there is nothing to protect from the document. With `Origin` the header repeats it,
 * as requests with credentials require.
 */
function allowOrigin(request: Protocol.Network.Request): Header[] {
  const origin = findHeader(request, 'origin');
  if (origin === null) return [{ name: 'access-control-allow-origin', value: '*' }];
  return [
    { name: 'access-control-allow-origin', value: origin },
    { name: 'access-control-allow-credentials', value: 'true' },
  ];
}

function findHeader({ headers }: Protocol.Network.Request, lowerCaseName: string): string | null {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === lowerCaseName)?.[1] ?? null;
}
