/** PostgreSQL and Redis for replicas, each behind a TCP proxy with faults. */
import { type OwnPostgres, skipOwnPostgres, startPostgres } from './postgres.ts';
import { type RedisServer, skipRedis, startRedis } from './redis.ts';
import { type Fault, openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** The reason why tests that need both engines are skipped, or false. */
export const skipEngines = skipOwnPostgres || skipRedis;

export interface Engines extends AsyncDisposable {
  postgres: OwnPostgres;
  redis: RedisServer;
  /** Before PostgreSQL and before Redis. */
  proxies: { postgres: TcpProxy; redis: TcpProxy };
  /** The settings of a service that uses the engines. */
  settings: EngineSettings;
  /** The same through the proxies, which are slow while this process is busy. */
  proxiedSettings: EngineSettings;
}

type EngineSettings = Record<'DATABASE_URL' | 'REDIS_URL', string>;

/** Starts both engines. `isDurable` makes PostgreSQL write its log to the disk. */
export async function openEngines({ isDurable = false } = {}): Promise<Engines> {
  const [postgres, redis] = await Promise.all([startPostgres({ isDurable }), startRedis()]);
  const proxies = {
    postgres: await openTcpProxy({ targetPort: postgres.port }),
    redis: await openTcpProxy({ targetPort: Number(new URL(redis.url).port) }),
  };
  const settings = { DATABASE_URL: await postgres.createDatabase(), REDIS_URL: redis.url };
  return {
    postgres,
    redis,
    proxies,
    settings,
    proxiedSettings: {
      DATABASE_URL: replacePort(settings.DATABASE_URL, proxies.postgres.port),
      REDIS_URL: replacePort(settings.REDIS_URL, proxies.redis.port),
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([proxies.postgres, proxies.redis].map((proxy) => proxy[Symbol.asyncDispose]()));
      await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
    },
  };
}

/** Switches to a fault of the network, or stops the processes of the engine until the next call. */
export async function setFault(
  engines: Engines,
  name: 'postgres' | 'redis',
  fault: Fault | 'SIGSTOP',
): Promise<void> {
  if (fault === 'SIGSTOP') return engines[name].freeze();
  engines[name].thaw();
  await engines.proxies[name].set(fault);
}

function replacePort(text: string, port: number): string {
  const url = new URL(text);
  url.port = String(port);
  return url.href;
}
