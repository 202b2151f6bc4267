/**
 * The stored state: accounts, keys and usage in SQL, with one schema, one list of migrations and one set
 * of queries for all engines. The only module that refers to SQL. Never decides what the rows mean.
 */
export { openStorage } from './open-storage.ts';
export type { Storage } from './open-storage.ts';
