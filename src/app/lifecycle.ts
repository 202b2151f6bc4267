/** Starts the server, and stops it without losing a request. */
import type { AddressInfo } from 'node:net';
import type { Config } from '#config';
import { ApiError } from '#errors';
import { createConnectionEnder } from '#http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

/** The address that the service listens on, and the URL at which people reach it. */
export interface Listening extends AddressInfo {
  url: string;
}

/**
 * Requests that arrive on open connections after the drain began are answered for this long before the port
 * closes.
 */
const LAME_DUCK_MS = 300;
/** A render that still runs this long after the drain began is aborted, so that the process ends in time. */
const PDF_DRAIN_MS = 8000;

/** Binds HOST:PORT, and logs the address and what a proxy has to do. */
export async function listen(
  server: FastifyInstance,
  config: Config,
  logger: FastifyBaseLogger,
): Promise<Listening> {
  // For localhost Fastify would open a second server on ::1, without the settings and the drain of the first.
  const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
  await server.listen({ host, port: config.port });
  const address = server.server.address() as AddressInfo;
  const ownUrl = formatUrl(address);
  logger.info(`listening on ${ownUrl}`);
  reportPublicUrl(ownUrl, config, logger);
  return { ...address, url: config.publicUrl ?? ownUrl };
}

/** Logs what a proxy has to do, and settings that do not fit the way that people reach the service. */
function reportPublicUrl(
  ownUrl: string,
  { publicUrl, trustProxy, smtpUrl }: Config,
  logger: FastifyBaseLogger,
): void {
  if (publicUrl === null) {
    if (smtpUrl !== null)
      logger.warn(
        `SMTP_URL is set and PUBLIC_URL is not: links in emails point to ${ownUrl}. Set PUBLIC_URL to the address that people use.`,
      );
    return;
  }
  if (publicUrl !== ownUrl) logger.info(`proxy ${publicUrl} to ${ownUrl}`);
  if (publicUrl.startsWith('https:') && trustProxy === false)
    logger.warn(
      'PUBLIC_URL is https and TRUST_PROXY is not set: all requests count as requests of the proxy, so its clients share one limit. Set TRUST_PROXY to the address of the proxy, for example 127.0.0.1/32.',
    );
}

/** Formats the URL of a listening socket; one that is bound to all interfaces is reached at localhost. */
export function formatUrl({ address, port, family }: AddressInfo): string {
  const host =
    address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

interface DrainOptions {
  /** The time that load balancers have to notice that /readyz is 503, before the port closes. */
  delayMs: number;
}

/** The shutdown of a server: requests in flight finish, and then its connections are closed. */
export class Drain {
  readonly #delayMs: number;
  readonly #renders = new AbortController();
  #isDraining = false;

  constructor({ delayMs }: DrainOptions) {
    this.#delayMs = delayMs;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Aborts renders that would keep the process from ending in time. */
  get signal(): AbortSignal {
    return this.#renders.signal;
  }

  /**
   * Prepares the shutdown of a server that does not listen yet. The result drains and closes it; with
   * `isAtOnce`, without the delay.
   */
  prepare(server: FastifyInstance): (isAtOnce?: boolean) => Promise<void> {
    const endConnections = createConnectionEnder(server.server);
    return async (isAtOnce = false) => {
      this.#isDraining = true;
      const delayMs = isAtOnce ? 0 : this.#delayMs;
      const stopping = new ApiError('unavailable', 'The service is stopping: try again.', {
        retryAfterSeconds: 5,
      });
      const timer = setTimeout(() => this.#renders.abort(stopping), delayMs + PDF_DRAIN_MS);
      if (server.server.listening) {
        // Every response now closes its connection. Idle ones stay open: a request may be in transit on them.
        await waitMs(delayMs + LAME_DUCK_MS);
        await endConnections();
      }
      await server.close();
      clearTimeout(timer);
    };
  }
}

/** Waits by the global timer, whose time a test can advance. */
function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** A reason why the service cannot start that its operator can fix, in one line. */
export class StartError extends Error {
  override name = 'StartError';
}
