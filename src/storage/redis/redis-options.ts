import { readFileSync } from 'node:fs';
import { RedisRefusal } from './redis-refusal.ts';

/** The parameters of the URL that name files with PEM texts, and the options of TLS that they set. */
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;
const PORT = 6379;

/** The options of ioredis that name a server. */
export interface RedisServerOptions {
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
export function toRedisOptions(text: string): RedisServerOptions {
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
