/**
 * The stored state: accounts, keys, sessions and usage in an embedded SQLite database or in PostgreSQL, with
 * one schema, one set of migrations and one set of queries; counts and caches in Redis. The only module that
 * refers to SQL and Redis. The modules that define the stores decide what rows mean.
 */
export { createBackup } from './backup/create-backup.ts';
export type { Backup } from './backup/create-backup.ts';
export { restoreBackup } from './backup/restore-backup.ts';
export type { Restoration } from './backup/restore-backup.ts';
export { copyDatabase } from './copy/copy-database.ts';
export type { DatabaseCopy, TableCopy } from './copy/copy-database.ts';
export { RedisRefusal } from './redis/permissions.ts';
export { openRedis } from './redis/open-redis.ts';
export { getSqlitePath } from './sqlite/open-sqlite.ts';
export { loadOperatorSecret, openStorage } from './open-storage.ts';
export { formatClientUrl } from './postgres/postgres-options.ts';
export { ServerUnreachable } from './postgres/postgres-errors.ts';
export type { PostgresOptions } from './postgres/open-postgres.ts';
export type { OnQuery } from './sql/transaction.ts';
export type { Storage } from './storage.ts';
export { StorageStateError } from './storage.ts';
