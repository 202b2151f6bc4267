/** Engines for replicas, each behind a TCP proxy with faults. */
import { type OwnPostgres, skipOwnPostgres, startPostgres } from './postgres.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** The reason why tests that need the engines are skipped, or false. */
export const skipEngines = skipOwnPostgres;

export interface Engines extends AsyncDisposable {
  postgres: OwnPostgres;
  /** Before PostgreSQL. */
  proxies: { postgres: TcpProxy };
  /** The settings of a service that uses them through the proxies. */
  settings: { DATABASE_URL: string };
}

/** Starts the engines. `isDurable` makes PostgreSQL write its log to the disk. */
export async function openEngines({ isDurable = false } = {}): Promise<Engines> {
  const postgres = await startPostgres({ isDurable });
  const proxies = { postgres: await openTcpProxy({ targetPort: postgres.port }) };
  return {
    postgres,
    proxies,
    settings: { DATABASE_URL: replacePort(await postgres.createDatabase(), proxies.postgres.port) },
    async [Symbol.asyncDispose]() {
      await proxies.postgres[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

function replacePort(text: string, port: number): string {
  const url = new URL(text);
  url.port = String(port);
  return url.href;
}
