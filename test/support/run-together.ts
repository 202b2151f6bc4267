import { describe } from 'node:test';
import { listGroupFiles } from './test-groups.ts';

const root = new URL('../../', import.meta.url);

/** Defines the tests of a group, each file as a suite: the hooks of a file run around its own tests only. */
export function runTogether(group: string): void {
  const files = listGroupFiles(group);
  if (files.length === 0) throw new Error(`the group ${group} has no files`);
  for (const file of files) void describe(file, async () => void (await import(new URL(file, root).href)));
}
