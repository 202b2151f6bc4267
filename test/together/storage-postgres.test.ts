import { after } from 'node:test';
// Loaded first: a file that waits for its top-level await would define its tests outside its suite.
import { sharePostgresServer } from '../support/postgres.ts';
import { runTogether } from '../support/run-together.ts';

after(sharePostgresServer());
runTogether('storage-postgres');
