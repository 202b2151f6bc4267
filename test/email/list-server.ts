/** A local HTTP server with a list of domains, for tests of the refresh. */
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListServer extends AsyncDisposable {
  url: string;
  /** The status of the next responses; 200 by default. */
  status: number;
  /** The body of the next responses. Its ETag changes with it. */
  text: string;
  /** One entry for each request: its If-None-Match header, or null. */
  readonly requests: (string | null)[];
  /** The target of each request. */
  readonly paths: (string | undefined)[];
}

/** Starts a server that responds with `text` and an ETag, or with 304. */
export async function startListServer(text: string): Promise<ListServer> {
  const requests: (string | null)[] = [];
  const server = createServer((request, response) => {
    const etag = `"${hash('sha256', list.text)}"`;
    const known = request.headers['if-none-match'] ?? null;
    requests.push(known);
    list.paths.push(request.url);
    if (list.status !== 200) return response.writeHead(list.status).end();
    if (known === etag) return response.writeHead(304).end();
    return response.writeHead(200, { 'content-type': 'text/plain', etag }).end(list.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const list: ListServer = {
    // The operator vouches for it: each name is disposable without a second source.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/domains.txt#reviewed`,
    status: 200,
    text,
    requests,
    paths: [],
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return list;
}

/** Returns the lines of a list of `count` domains. */
export function formatNames(count: number, prefix = 'throwaway'): string {
  return Array.from({ length: count }, (_, at) => `${prefix}-${at}.com\n`).join('');
}
