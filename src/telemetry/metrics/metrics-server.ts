import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './open-metrics.ts';

export interface MetricsServerOptions {
  metrics: Pick<Metrics, 'format' | 'contentType'>;
  host: string;
  port: number;
  /** Receives the error of a scrape, which is answered with 500. */
  onError: (error: unknown) => void;
}

/** A server that answers GET /metrics. */
export interface MetricsServer {
  readonly address: AddressInfo;
  close(): Promise<void>;
}

/** A scrape that takes longer ends: by default, Prometheus waits 10 s. */
const TIMEOUT_MS = 10_000;
/** A connection whose request does not arrive in this time is closed: it holds one of the places. */
const HEAD_TIMEOUT_MS = 2_000;
const CHECK_INTERVAL_MS = 500;
const MAX_HEAD_BYTES = 8 * 1024;

/** Listens on host:port. Rejects with the error of the socket, for example EADDRINUSE. */
export async function openMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      requestTimeout: TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    (request, response) => void answer(options, request, response),
  );
  // A few scrapers, each with one connection: others would only hold memory.
  server.maxConnections = 64;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', options.onError);
  return {
    address: server.address() as AddressInfo,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Scrapers keep their connections open.
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 500).unref();
      }),
  };
}

async function answer(
  { metrics, onError }: MetricsServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  const path = (request.url ?? '').split('?', 1)[0];
  if (path !== '/metrics') return sendText(response, 404, 'There is only /metrics here.\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return sendText(response, 405, 'Send GET.\n');
  }
  try {
    const text = await metrics.format();
    response.setHeader('content-type', metrics.contentType);
    response.end(text);
  } catch (error) {
    onError(error);
    sendText(response, 500, 'The metrics could not be read.\n');
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(text);
}
