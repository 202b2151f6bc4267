// Loaded first: a file that waits for its top-level await would define its tests outside its suite.
import '../support/postgres.ts';
import { runTogether } from '../support/run-together.ts';

runTogether('storage-postgres');
