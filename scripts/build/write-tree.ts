/** Writes the built tree: what the service needs to run, and nothing else. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KEY_FILE, listFiles } from '../setup/tree-key.mjs';
import { copyPackage, listPackageFolders } from './copy-packages.ts';

export interface TreeOptions {
  /** The checkout, with its packages installed and its dashboard built. */
  root: string;
  /** The folder to write, which does not exist yet. */
  target: string;
  /** The key of the sources (computeTreeKey). */
  key: string;
  /** Leaves out the packages of the browser and the fonts, and the scripts that set them up. */
  withoutSetup: boolean;
  /** The program to put into the tree as `bin/node`, or null. */
  node: string | null;
}

interface PackageJson {
  dependencies: Record<string, string>;
  [field: string]: unknown;
}

const PLAIN_SOURCES = [
  'LICENSE',
  'NOTICE',
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs',
  'src',
  'dashboard/dist',
];
const SETUP_SOURCES = ['scripts/setup', 'scripts/setup-browser.mjs'];
/** The fields of package.json that the tree keeps. Node needs `type` and `imports`. */
const PACKAGE_FIELDS = ['name', 'version', 'private', 'description', 'license', 'type', 'imports', 'engines'];

/**
 * Writes the tree and returns how many packages it has. The same sources give the same files with the same
 * modes.
 */
export function writeTree({ root, target, key, withoutSetup, node }: TreeOptions): number {
  if (!existsSync(join(root, 'dashboard/dist/index.html')))
    throw new Error('the dashboard is not built: run "npm run setup"');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageJson;
  for (const path of listFiles(root, [...PLAIN_SOURCES, ...(withoutSetup ? [] : SETUP_SOURCES)]))
    copy(join(root, path), join(target, path), 0o644);
  for (const path of listFiles(root, ['scripts/tree/bin']))
    if (!withoutSetup || !['setup', 'start'].includes(basename(path)))
      copy(join(root, path), join(target, 'bin', basename(path)), 0o755);
  if (node !== null) copy(node, join(target, 'bin/node'), 0o755);
  const folders = listPackageFolders(root, manifest.dependencies, withoutSetup);
  for (const folder of folders) copyPackage(root, target, folder);
  write(join(target, 'package.json'), formatPackageJson(manifest));
  write(join(target, KEY_FILE), key);
  return folders.length;
}

function formatPackageJson(manifest: PackageJson): string {
  const kept = Object.fromEntries(PACKAGE_FIELDS.map((field) => [field, manifest[field]]));
  const bin = { 'utility-api': 'bin/utility-api', 'utility-api-admin': 'bin/admin' };
  return `${JSON.stringify({ ...kept, bin }, null, 2)}\n`;
}

function copy(from: string, to: string, mode: number): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, mode);
}

function write(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o644);
}
