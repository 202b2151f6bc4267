import type { IncomingMessage, Server, ServerResponse } from 'node:http';

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
