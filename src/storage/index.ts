/**
 * Where state lives: accounts, keys and usage in SQL, through one schema, one list of migrations and one set of queries for every engine.
 * Alone names SQL. Never decides what the rows mean.
 */
export { openStorage } from './open-storage.ts';
export type { Storage, StorageOptions } from './open-storage.ts';
