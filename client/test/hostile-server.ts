/** A server on loopback whose responses a test chooses, for all that the real service does not do. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ClientOptions, UtilityApi } from '../src/index.ts';

/** A request that has arrived. */
export interface ReceivedRequest {
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Resolves when the connection of the request has closed. */
  closed: Promise<unknown>;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => unknown;

export interface HostileServer extends AsyncDisposable {
  url: string;
  requests: ReceivedRequest[];
  /** Creates a client of the server with a key. */
  connect(options?: ClientOptions): UtilityApi;
}

/** Starts a server that gives each request the next answer, and the last one to all further requests. */
export async function startHostileServer(...answers: Answer[]): Promise<HostileServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      const { url = '', headers } = incoming;
      const request = { url, headers, body, closed: once(response, 'close') };
      requests.push(request);
      return answers[Math.min(requests.length, answers.length) - 1]?.(response, request);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    connect: (options) => new UtilityApi({ apiKey: 'ua_test_key', baseUrl: url, ...options }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with JSON. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** Answers with an error of the API. The next attempt may follow at once. */
export function failWith(status: number, error: string, headers: Record<string, string> = {}): Answer {
  return json(status, { error, message: `${error}.`, request_id: 'r' }, { 'retry-after': '0', ...headers });
}

/** Closes the connection without a response. */
export const disconnect: Answer = (response) => response.destroy();

/** Answers a batch of emails with rows that have the members `email` and `valid`. */
export function streamRows(
  end: (response: ServerResponse, rows: string[]) => unknown,
  headers: Record<string, string> = {},
): Answer {
  return (response, { body }) => {
    const { emails } = JSON.parse(body) as { emails: string[] };
    response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8', ...headers });
    end(
      response,
      emails.map((email) => `${JSON.stringify({ email, valid: true })}\n`),
    );
  };
}

/** The headers of a rate limit with so many units left of 6,000. */
export function limitHeaders(remaining: number, limit = 6_000): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': '1795407300',
  };
}
