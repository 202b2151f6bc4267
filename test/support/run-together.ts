import { AsyncResource } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { describe } from 'node:test';
import { listGroupFiles } from './test-groups.ts';

const root = new URL('../../', import.meta.url);

/** Defines the tests of a group, each file as a suite: the hooks of a file run around its own tests only. */
export function runTogether(group: string): void {
  const files = listGroupFiles(group);
  if (files.length === 0) throw new Error(`the group ${group} has no files`);
  defineSuites(files);
}

/**
 * Defines a suite for each file, by its path from the root of the project. Files are imported one after the
 * other: two that wait for one module with a top-level await would continue in the suite of only one of them.
 */
export function defineSuites(files: readonly string[]): void {
  let imported: Promise<unknown> = Promise.resolve();
  for (const file of files)
    void describe(file, async () => {
      // Bound to the suite, in which the runner puts what the file defines.
      imported = imported.then(AsyncResource.bind(() => import(new URL(file, root).href)));
      await imported;
      // Node writes the cache when the process ends: until then, others would compile the same modules.
      if (file === files.at(-1)) flushCompileCache();
    });
}
