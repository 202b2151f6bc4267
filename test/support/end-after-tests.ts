/**
 * Preloaded into every test file (`--import`): ends its process if something that a test left open, such as a
 * browser, keeps it alive after its last test, and fails the file. `--test-force-exit` is no substitute: it
 * loses results that are still in a pipe (nodejs/node#64833).
 */
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';
import { patientMs } from './patience.ts';

/** A file on a busy machine may need this long to close what it opened. */
const GRACE_MS = Number(process.env['TEST_GRACE_MS'] ?? patientMs(7_000));

// The runner itself and the threads of a test preload this module too.
if (isMainThread && process.env['NODE_TEST_CONTEXT'] !== undefined)
  after(() => {
    const end = (): void => {
      console.error(`left open after the last test: ${process.getActiveResourcesInfo().join(', ')}`);
      process.exit(1);
    };
    setTimeout(end, GRACE_MS).unref();
  });
