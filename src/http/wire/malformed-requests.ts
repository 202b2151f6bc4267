/** What happens below the routes: requests that cannot be parsed, Expect headers, Host headers. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '#errors';
import { writeErrorBody } from '../error-responses.ts';
import { endAndLinger } from './linger.ts';

const sentences: Record<number, string> = {
  400: 'The request is not valid HTTP/1.1: send a well-formed request.',
  408: 'The request did not arrive in time: send it without pauses.',
  431: 'The request line and headers are too long: keep them under 16 KiB together.',
};
/** The parser's words for a blank or a letter past ASCII in the request line: what people most often forget to encode. */
const UNENCODED = new Set(['HPE_INVALID_URL', 'HPE_INVALID_CONSTANT']);
const UNENCODED_SENTENCE =
  'The request line is not valid: percent-encode blanks and whatever is not ASCII in the path and the query.';

/**
 * Answers what the HTTP parser refused. A request whose body breaks off is told through its own answer, with all its headers; what breaks
 * after whole requests is told when these are answered; both close the connection. A broken head belongs to no path: no rate-limit headers.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy();
    return;
  }
  // The parser tells of every further byte: only the first counts.
  if (told.has(socket)) return;
  told.add(socket);
  answerInTurn(socket, describeFault(error), false);
}

const told = new WeakSet<Socket>();
const brokenRequests = new WeakMap<IncomingMessage, ApiError>();

/** What is wrong with the body of this request, where the parser gave up on it before anybody read it. */
export function findBrokenBody(request: IncomingMessage): ApiError | undefined {
  return brokenRequests.get(request);
}

function answerInTurn(socket: Socket, fault: Fault, isAnswered: boolean): void {
  // Node's own handler looks at this member too: the answer whose turn it is to be written, null where none is open.
  const { _httpMessage: open } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (!open) return endAndLinger(socket, isAnswered ? undefined : writeRawAnswer(fault));
  const isItsBody = !open.req.complete;
  if (isItsBody && !brokenRequests.has(open.req)) {
    brokenRequests.set(open.req, fault.error);
    if (open.req.listenerCount('error') > 0) open.req.emit('error', fault.error);
  }
  open.once('close', () => answerInTurn(socket, fault, isItsBody));
}

interface Fault {
  status: number;
  error: ApiError;
}

function describeFault({ code }: { code?: string }): Fault {
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const sentence = UNENCODED.has(code ?? '') ? UNENCODED_SENTENCE : sentences[status];
  return { status, error: new ApiError(status === 408 ? 'timeout' : 'invalid_parameter', sentence) };
}

function writeRawAnswer({ status, error }: Fault): string {
  const requestId = randomUUID();
  const body = writeErrorBody(error, requestId);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'cache-control: no-store',
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

/** RFC 3986 §3.2.2 and §3.2.3: a name, an IPv4 address or an IPv6 address in brackets, and a port. Empty is allowed. */
const hostValue = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * The refusal of a request in another major version of HTTP, with no Host, more than one or one that is none (RFC 9112 §3.2), or whose
 * Transfer-Encoding is more than chunked or is HTTP/1.0's (§6.1: such framing is faulty); else null.
 */
export function findMessageFault(request: IncomingMessage): ApiError | null {
  const { rawHeaders } = request;
  // The parser lets HTTP/2.0 and the lines of HTTP/0.9, which have no version, pass.
  if (request.httpVersionMajor !== 1)
    return new ApiError('invalid_parameter', 'The request line does not say HTTP/1.1: send it so.');
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  const coding = request.headers['transfer-encoding'];
  const isModern = request.httpVersionMinor === 1;
  if (hosts === 1 && !hostValue.test(request.headers.host ?? ''))
    return new ApiError('invalid_parameter', 'The Host header holds no host name: send one.');
  if (hosts === 1 && coding === undefined) return null;
  if (hosts > 1)
    return new ApiError('invalid_parameter', 'The request has more than one Host header: send one.');
  if (hosts === 0 && isModern)
    return new ApiError('invalid_parameter', 'The request has no Host header: send one.');
  if (coding === undefined || (isModern && coding.trim().toLowerCase() === 'chunked')) return null;
  return new ApiError(
    'invalid_parameter',
    'Transfer-Encoding may be chunked alone, and not in HTTP/1.0: send a Content-Length.',
  );
}
