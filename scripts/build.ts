/**
 * Builds the tree that production runs: `npm run build`, or `npm run build -- --out <folder>`. It needs Node
 * alone: no npm, no packages for development, no write to its own folder. `--without-setup` leaves out the
 * browser and the fonts, for machines that get them in another way, such as the image. `--with-node` adds the
 * Node that runs this script, for machines whose own is older.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeTree } from './build/write-tree.ts';
import { installPackages } from './setup/packages.mjs';
import { computeTreeKey, KEY_FILE, TREE } from './setup/tree-key.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    'without-setup': { type: 'boolean', default: false },
    'with-node': { type: 'boolean', default: false },
  },
});
const target = resolve(values.out ?? join(root, TREE));
const DRAFT = /^\.new-tree-(\d+)(-old)?$/;
const fresh = join(dirname(target), `.new-tree-${process.pid}`);

// Folders of the tree get the mode 755 whatever the caller's umask is: other users run it.
process.umask(0o022);
const startedAt = performance.now();
try {
  if (existsSync(target) && !existsSync(join(target, KEY_FILE)))
    throw new Error(`${target} exists and is not a built tree: remove it, or name another folder with --out`);
  // The tree carries the browser to machines that have none, whether or not this one needs it.
  if (!values['without-setup'])
    await installPackages({
      root,
      workspaces: ['runtime/browser'],
      log: (line) => console.log(`build: ${line}`),
    });
  removeAbandonedDrafts(dirname(target));
  mkdirSync(fresh, { recursive: true });
  const packages = writeTree({
    root,
    target: fresh,
    key: computeTreeKey(root),
    withoutSetup: values['without-setup'],
    node: values['with-node'] ? process.execPath : null,
  });
  // A start meanwhile finds the old tree, the new one, or for a moment none. A service that runs from the old
  // one must be restarted: it loads the code of its threads only when it needs them.
  rmSync(`${fresh}-old`, { recursive: true, force: true });
  if (existsSync(target)) renameSync(target, `${fresh}-old`);
  renameSync(fresh, target);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`build: ${target} with ${packages} packages in ${seconds} s`);
} catch (error) {
  console.error(`build: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  for (const folder of [fresh, `${fresh}-old`]) rmSync(folder, { recursive: true, force: true });
}

/** Deletes what builds have left that were killed. */
function removeAbandonedDrafts(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const pid = Number(DRAFT.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isRunning(pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
