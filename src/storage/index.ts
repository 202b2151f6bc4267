/**
 * The stored state: accounts, keys, sessions and usage in an embedded SQLite database or in PostgreSQL, with
 * one schema, one set of migrations and one set of queries; counts and caches in Redis. The only module that
 * refers to SQL and Redis. The modules that define the stores decide what rows mean.
 */
export { copyDatabase } from './copy/copy-database.ts';
export type { DatabaseCopy, TableCopy } from './copy/copy-database.ts';
export { RedisRefusal } from './redis/connection.ts';
export { openRedis } from './redis/open-redis.ts';
export { openStorage } from './open-storage.ts';
export type { PostgresOptions } from './postgres/open-postgres.ts';
export type { OnQuery } from './sql/query-observer.ts';
export type { Storage } from './storage.ts';
