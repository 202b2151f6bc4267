/** The head of a message that the HTTP parser has accepted: its faults, its path and its expectation. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ApiError } from '#errors';

/**
 * A name, an IPv4 address or an IPv6 address in brackets, and a port, or nothing (RFC 3986 §3.2.2, §3.2.3).
 */
const HOST_VALUE = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * Returns the fault of a message that the HTTP parser accepts, or null: another major version of HTTP, not
 * exactly one valid Host (RFC 9112 §3.2), a Transfer-Encoding that is not `chunked` alone or is in HTTP/1.0
 * (§6.1).
 */
export function findMessageFault(request: IncomingMessage): ApiError | null {
  // The parser accepts HTTP/2.0, and the request lines of HTTP/0.9, which have no version.
  if (request.httpVersionMajor !== 1)
    return new ApiError('invalid_parameter', 'The request line does not say HTTP/1.1: send it so.');
  return findHostFault(request) ?? findCodingFault(request);
}

function findHostFault(request: IncomingMessage): ApiError | null {
  const hosts = countHosts(request);
  if (hosts > 1)
    return new ApiError('invalid_parameter', 'The request has more than one Host header: send one.');
  if (hosts === 0)
    return request.httpVersionMinor === 1
      ? new ApiError('invalid_parameter', 'The request has no Host header: send one.')
      : null;
  return HOST_VALUE.test(request.headers.host ?? '')
    ? null
    : new ApiError('invalid_parameter', 'The Host header holds no host name: send one.');
}

function countHosts({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

function findCodingFault({ headers, httpVersionMinor }: IncomingMessage): ApiError | null {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (httpVersionMinor === 1 && coding.trim().toLowerCase() === 'chunked') return null;
  return new ApiError(
    'invalid_parameter',
    'Transfer-Encoding may be chunked alone, and not in HTTP/1.0: send a Content-Length.',
  );
}

/** A path without % and without a slash at its end, then perhaps a query or a fragment. */
const PLAIN_TARGET = /^(?:\/|[^?#%]*[^/?#%])(?:[?#]|$)/;

/**
 * Returns the request target that the router gets. A trailing slash is removed. `%` is escaped, because the
 * router refuses percent-encoding that it cannot decode.
 */
export function normalizeRoutePath(target: string): string {
  if (PLAIN_TARGET.test(target)) return target;
  const end = target.search(/[?#]/);
  let path = end < 0 ? target : target.slice(0, end);
  if (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
  if (path.includes('%')) path = path.replaceAll('%', '%25');
  return end < 0 ? path : path + target.slice(end);
}

/**
 * Keeps Node from sending 100 by itself: a refused request gets its refusal, an admitted one gets 100 when
 * its body is wanted. Other expectations are ignored, as RFC 9110 §10.1.1 allows.
 */
export function answerExpectations(server: Server): void {
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    server.emit('request', request, response);
  };
  server.on('checkContinue', pass);
  server.on('checkExpectation', pass);
}

/** True if the client waits for 100 (RFC 9110 §10.1.1). A client of HTTP/1.0 does not know it. */
export function expectsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1' && /100-continue/i.test(headers.expect);
}
