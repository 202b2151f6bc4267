/**
 * The stored state: accounts, keys, sessions and usage in an SQLite database, with its schema, migrations and
 * queries, and counts and caches in Redis. The only module that refers to SQL and Redis. The modules that
 * define the stores decide what rows mean.
 */
export { RedisRefusal } from './redis/connection.ts';
export { openRedis } from './redis/open-redis.ts';
export { openStorage } from './open-storage.ts';
export type { Storage } from './open-storage.ts';
