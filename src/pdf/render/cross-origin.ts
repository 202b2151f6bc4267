import type { Protocol } from 'devtools-protocol';
import type { CdpParams } from '../browser/cdp-connection.ts';
import type { Resource } from '../fetch-resource.ts';

type Header = Protocol.Fetch.HeaderEntry;
type Response = Pick<CdpParams<'Fetch.fulfillRequest'>, 'responseCode' | 'responseHeaders' | 'body'>;

/** Headers that describe how the body travelled, that would make the browser keep something, or that say who may read the answer. */
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

/** A fetched resource as the browser is told it. */
export function responseOf(request: Protocol.Network.Request, { status, headers, body }: Resource): Response {
  return {
    responseCode: status,
    responseHeaders: [
      ...headers
        .filter(([name]) => !DROPPED_HEADERS.has(name))
        .map(([name, value]): Header => ({ name, value })),
      ...allowOrigin(request),
    ],
    body,
  };
}

/** The answer that sends the browser on to another address. */
export function redirectTo(url: string, request: Protocol.Network.Request): Response {
  return {
    responseCode: 302,
    responseHeaders: [{ name: 'location', value: url }, ...allowOrigin(request)],
  };
}

/**
 * The answer to a CORS-preflight request (Fetch standard §4.8), which the browser makes on its own before a request of a script that a form
 * could not have made; null for any other request. No script can set its header.
 */
export function answerPreflight(request: Protocol.Network.Request): Response | null {
  const method = readHeader(request, 'access-control-request-method');
  if (request.method !== 'OPTIONS' || method === null) return null;
  const headers = readHeader(request, 'access-control-request-headers');
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
 * Any origin may read any answer: no request carries a credential but what the document itself put into it, so there is nothing that the
 * same-origin policy could keep from it. An origin that wants to be named, as it would send cookies if there were any, is named.
 */
function allowOrigin(request: Protocol.Network.Request): Header[] {
  const origin = readHeader(request, 'origin');
  if (origin === null) return [{ name: 'access-control-allow-origin', value: '*' }];
  return [
    { name: 'access-control-allow-origin', value: origin },
    { name: 'access-control-allow-credentials', value: 'true' },
  ];
}

function readHeader({ headers }: Protocol.Network.Request, lowerCaseName: string): string | null {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === lowerCaseName)?.[1] ?? null;
}
