import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * `Expect: 100-continue` is answered by the refusal itself or, once the request is admitted, by 100: so Node must not send 100 on its own.
 * Other expectations are ignored, as RFC 9110 §10.1.1 allows.
 */
export function answerExpectations(server: Server): void {
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    server.emit('request', request, response);
  };
  server.on('checkContinue', pass);
  server.on('checkExpectation', pass);
}

/** Whether to answer 100 now (RFC 9110 §10.1.1): never to HTTP/1.0, which does not know it. */
export function expectsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1' && /100-continue/i.test(headers.expect);
}
