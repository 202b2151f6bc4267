import { readFileSync } from 'node:fs';
import standalone from 'ioredis/built/connectors/StandaloneConnector.js';
import { Redis } from 'ioredis';
import { RedisRefusal, toRefusal } from './permissions.ts';

type Connector = InstanceType<typeof standalone.default>;

/**
 * Opens the sockets of a client. ioredis listens for one error of each socket; a TLS socket that is closed
 * during its handshake has two, and an error without a listener is one of the process.
 */
class QuietConnector extends standalone.default {
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof standalone.default>[0]);
  }

  override async connect(...args: Parameters<Connector['connect']>): ReturnType<Connector['connect']> {
    const stream = await super.connect(...args);
    stream.on('error', () => {});
    return stream;
  }
}

/** The parameters of the URL that name files with PEM texts, and the options of TLS that they set. */
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;
const PORT = 6379;

/** A slow Redis is waited for: what a replica admits alone, others may admit too. */
const LIMITS_TIMEOUT_MS = 250;

/** Returns the time after which a call of the limits counts as failed, in milliseconds. */
export function getLimitsTimeoutMs(url: string): number {
  return Number(new URL(url).searchParams.get('limits_timeout_ms') ?? LIMITS_TIMEOUT_MS);
}

/** The options of ioredis that name a server. */
interface RedisServerOptions {
  host: string;
  port: number;
  username?: string;
  password?: string;
  db?: number;
  tls?: TlsFiles;
}

/** PEM texts. Without `ca`, the public CAs are trusted. */
type TlsFiles = Partial<Record<(typeof FILES)[keyof typeof FILES], Buffer>>;

/**
 * Returns the server, the credentials and TLS of a `redis://` or `rediss://` URL. Nothing else is taken from
 * it: ioredis would accept any of its options as a parameter. Throws RedisRefusal if a file cannot be read.
 */
function toRedisOptions(text: string): RedisServerOptions {
  const url = new URL(text);
  const [username, password] = [url.username, url.password].map(decodeURIComponent);
  const database = url.pathname.slice(1);
  return {
    host: getHost(url),
    port: Number(url.port || PORT),
    ...(username && { username }),
    ...(password && { password }),
    ...(database && { db: Number(database) }),
    ...(url.protocol === 'rediss:' && { tls: loadTlsOptions(url) }),
  };
}

const getHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

function loadTlsOptions(url: URL): TlsFiles {
  const options: TlsFiles = {};
  for (const [name, option] of Object.entries(FILES)) {
    const path = url.searchParams.get(name);
    if (path !== null) options[option] = loadFile(name, path);
  }
  return options;
}

function loadFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new RedisRefusal(`the file of ${name} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Creates a client that reconnects within a second and never queues calls. The defaults of ioredis would
 * keep a request waiting for seconds while the server is away. Throws RedisRefusal if a file of the URL
 * cannot be read.
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
    // Of commands of its own, such as AUTH, and of late replies. Calls have a CallTimer, which is shorter.
    commandTimeout: 2000,
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
