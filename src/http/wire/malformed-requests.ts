/** Responses to requests that the HTTP parser refuses. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '#errors';
import type { RequestObserver } from '#telemetry';
import { HEAD_TOO_LONG_SENTENCE, HEAD_TOO_LONG_STATUS, formatErrorBody } from '../error-responses.ts';
import type { LingeringSockets } from './linger.ts';

const SENTENCES: Record<number, string> = {
  400: 'The request is not valid HTTP/1.1: send a well-formed request.',
  408: 'The request did not arrive in time: send it without pauses.',
  [HEAD_TOO_LONG_STATUS]: HEAD_TOO_LONG_SENTENCE,
};
/**
 * Parser errors for a blank or a character beyond ASCII in the request line: the usual cause is a missing
 * encoding.
 */
const UNENCODED_CODES = new Set(['HPE_INVALID_URL', 'HPE_INVALID_CONSTANT']);
const UNENCODED_SENTENCE =
  'The request line is not valid: percent-encode blanks and non-ASCII characters in the path and the query.';

interface Fault {
  status: number;
  error: ApiError;
}

/** The requests of one server that the HTTP parser refuses. */
export class MalformedRequests {
  readonly #lingering: LingeringSockets;
  readonly #onMalformed: RequestObserver['onMalformed'];
  readonly #reportedSockets = new WeakSet<Socket>();
  readonly #bodyFaults = new WeakMap<IncomingMessage, ApiError>();

  /** `onMalformed` receives what is known of each request that gets a response from here. */
  constructor(lingering: LingeringSockets, onMalformed: RequestObserver['onMalformed']) {
    this.#lingering = lingering;
    this.#onMalformed = onMalformed;
  }

  /**
   * Responds to what the HTTP parser refuses, and closes the connection. A fault in a body is reported in the
   * response of its request. A fault after complete requests is reported after their responses. A fault in a
   * head belongs to no path: its response has no rate-limit headers.
   */
  answer(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) {
      socket.destroy();
      return;
    }
    // The parser reports every further byte.
    if (this.#reportedSockets.has(socket)) return;
    this.#reportedSockets.add(socket);
    this.#answerInTurn(socket, describeFault(error), false);
  }

  /** Returns the fault in the body of a request that the parser refused before the body was read. */
  findBodyFault(request: IncomingMessage): ApiError | undefined {
    return this.#bodyFaults.get(request);
  }

  /** Reports a fault after the responses that come before it. */
  #answerInTurn(socket: Socket, fault: Fault, isAnswered: boolean): void {
    // Node's own handler uses this member too: the response that is being written, null if there is none.
    const { _httpMessage: open } = socket as Socket & { _httpMessage?: ServerResponse | null };
    if (!open) {
      if (!isAnswered && socket.destroyed) return;
      this.#lingering.endAndLinger(socket, isAnswered ? undefined : this.#formatResponse(fault));
      return;
    }
    const isItsBody = !open.req.complete;
    if (isItsBody && !this.#bodyFaults.has(open.req)) {
      this.#bodyFaults.set(open.req, fault.error);
      if (open.req.listenerCount('error') > 0) open.req.emit('error', fault.error);
    }
    open.once('close', () => this.#answerInTurn(socket, fault, isItsBody));
  }

  /** Returns the response of a request of which nothing but its fault is known, and reports it. */
  #formatResponse(fault: Fault): string {
    const requestId = randomUUID();
    const { status, error } = fault;
    this.#onMalformed({
      requestId,
      method: null,
      route: 'unknown',
      status,
      ms: null,
      error: error.code,
    });
    return formatRawResponse(fault, requestId);
  }
}

function describeFault({ code }: { code?: string }): Fault {
  const status =
    code === 'HPE_HEADER_OVERFLOW' ? HEAD_TOO_LONG_STATUS : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const sentence = UNENCODED_CODES.has(code ?? '') ? UNENCODED_SENTENCE : SENTENCES[status];
  return { status, error: new ApiError(status === 408 ? 'timeout' : 'invalid_parameter', sentence) };
}

function formatRawResponse({ status, error }: Fault, requestId: string): string {
  const body = formatErrorBody(error, requestId);
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
