/** The settings of where state is stored: the folder of the embedded database, PostgreSQL, Redis. */
import { secret, setting } from './config-setting.ts';
import { integer, parseDatabaseUrl, parseKeyPrefix, parseText } from './config-values.ts';
import { parseRedisUrl } from './config-redis-url.ts';

export const STORAGE_SETTINGS = {
  dataDir: setting(
    'DATA_DIR',
    'folder',
    parseText,
    './data',
    'The folder of the embedded database, which contains the generated secrets; npm run admin -- backup makes backups of it.',
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    'postgres:// URL',
    parseDatabaseUrl,
    'The PostgreSQL database (15 or newer) to use in place of the embedded one, as postgres://user:password@host:5432/database. TLS: add ?sslmode=verify-full (require means the same), no-verify or disable, and sslrootcert=<file> for the certificate of a CA of your own.',
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    '1–500',
    integer(1, 500),
    '10',
    'Connections of this process to PostgreSQL at most; finding keys and watching their changes takes three more.',
  ),
  databaseStatementTimeoutMs: setting(
    'DATABASE_STATEMENT_TIMEOUT_MS',
    '100–600000',
    integer(100, 600_000),
    '5000',
    'How long a statement of PostgreSQL may take, or wait for a lock, in milliseconds; then the request fails with 503.',
  ),
  databaseStartTimeoutMs: setting(
    'DATABASE_START_TIMEOUT_MS',
    '0–600000',
    integer(0, 600_000),
    '30000',
    'How long a start waits for PostgreSQL if it cannot be reached, in milliseconds; then the process ends with exit code 1. 0: it does not wait.',
  ),
  redisUrl: secret(
    'REDIS_URL',
    'redis:// or rediss:// URL',
    parseRedisUrl,
    'The Redis (7 or newer) or Valkey server that replicas share: rate limits, throttles of sign-in and mails, cached metadata. With rediss:// (TLS), ?sslrootcert=<file> names the certificate of a CA of your own, sslcert and sslkey those of this client. If unset, they are kept in memory, for one process.',
  ),
  redisPrefix: setting(
    'REDIS_PREFIX',
    'text',
    parseKeyPrefix,
    'utility-api:',
    'The start of each key and channel in Redis; installations that share a server need different ones.',
  ),
} as const;
