import type { IncomingMessage } from 'node:http';
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
