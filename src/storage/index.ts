/**
 * The stored state: accounts, keys, sessions and usage in an SQLite database, with its schema, migrations and
 * queries. The only module that refers to SQL. The modules that define the stores decide what rows mean.
 */
export { openStorage } from './open-storage.ts';
export type { Storage } from './open-storage.ts';
