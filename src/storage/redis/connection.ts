import { Redis } from 'ioredis';
import { QuietConnector } from './quiet-connector.ts';
import { toRedisOptions } from './redis-options.ts';
import { toRefusal } from './redis-refusal.ts';

/**
 * Creates a client that reconnects within a second and never queues calls. The defaults of ioredis would keep
 * a request waiting for seconds while the server is away. Throws RedisRefusal if a file of the URL cannot be
 * read.
 */
export function createConnection(url: string, name: string, options: { isSubscriber: boolean }): Redis {
  const connection = new Redis({
    ...toRedisOptions(url),
    Connector: QuietConnector,
    lazyConnect: true,
    connectionName: name,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // Of commands of its own, such as AUTH. Calls have a CallTimer, which is shorter.
    commandTimeout: 1000,
    connectTimeout: 1000,
    disconnectTimeout: 100,
    retryStrategy: (tries) => Math.min(50 * 2 ** Math.min(tries, 5), 1000),
    enableAutoPipelining: !options.isSubscriber,
    autoResubscribe: false,
  });
  // Without a listener ioredis writes each failed try to the console. The breaker reports the outage.
  connection.on('error', () => {});
  return connection;
}

/**
 * Connects, or returns why not; the client then goes on trying by itself. Throws RedisRefusal if the URL has
 * to be corrected.
 */
export async function connect(connection: Redis): Promise<Error | null> {
  const errors: Error[] = [];
  const note = (error: Error): void => void errors.push(error);
  connection.on('error', note);
  try {
    await connection.connect();
  } catch (error) {
    errors.push(error as Error);
  } finally {
    connection.off('error', note);
  }
  const refusal = errors.map(toRefusal).find((found) => found !== null);
  if (refusal) throw refusal;
  return connection.status === 'ready' ? null : (errors[0] ?? new Error('the connection is closed'));
}
