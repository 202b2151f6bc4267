/**
 * Finds a Node that can run the service if that of the machine is too old: one of npm, which is installed
 * into the cache folder, or, on platforms for which npm has none, one of a version manager. Plain JavaScript
 * for Node 20.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { getCacheRoot, installFolder, listCacheRoots } from './cache-folder.mjs';
import { isExecutable } from './installed-browsers.mjs';
import { downloadPackage } from './npm-package.mjs';
import { untar } from './untar.mjs';

/** The oldest version that runs the service (`engines` in package.json). */
export const MIN_MAJOR = 24;

/** Folders of installers, besides those of PATH. */
const FOLDERS = ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin'];
const HOMEBREW = ['/opt/homebrew/opt', '/usr/local/opt'];
/** Folders with one folder per version, and the path of `node` in it. */
const VERSION_FOLDERS = [
  ['.nvm/versions/node', 'bin/node'],
  ['.volta/tools/image/node', 'bin/node'],
  ['.local/share/fnm/node-versions', 'installation/bin/node'],
  ['Library/Application Support/fnm/node-versions', 'installation/bin/node'],
  ['.asdf/installs/nodejs', 'bin/node'],
  ['.local/share/mise/installs/node', 'bin/node'],
];

/**
 * Finds a Node of at least MIN_MAJOR: `{ path, version }`, the newest of those that version managers have.
 * Returns null if there is none. `root` is put before absolute paths: tests have a folder of their own there.
 */
export function findNode({ path = process.env.PATH ?? '', home = homedir(), root = '' } = {}) {
  const places = [
    ...path
      .split(delimiter)
      .filter(Boolean)
      .map((folder) => join(folder, 'node')),
    ...FOLDERS.map((folder) => join(root + folder, 'node')),
    ...HOMEBREW.flatMap((folder) => listVersions(root + folder, 'bin/node', /^node(@\d+)?$/)),
    ...VERSION_FOLDERS.flatMap(([folder, file]) => listVersions(join(home, folder), file, /^v?\d/)),
  ];
  for (const place of new Set(places)) {
    const version = isExecutable(place) ? getVersion(place) : null;
    if (version !== null && Number.parseInt(version, 10) >= MIN_MAJOR) return { path: place, version };
  }
  return null;
}

/**
 * Makes the npm scripts run a Node that is new enough: they look in node_modules/.bin first. `own` is the
 * version that runs this script, whose path is `program`. The link is made after `packages`, because npm
 * removes node_modules; Node is downloaded meanwhile. Throws an Error that says what to do if there is none.
 */
export async function setUpNode({
  root,
  packages = Promise.resolve(),
  own = process.versions.node,
  program = process.execPath,
  log,
  machine = {},
}) {
  const link = join(root, 'node_modules/.bin/node');
  // If npm started this script, it may have used the link already.
  const isNeeded = Number.parseInt(own, 10) < MIN_MAJOR || findTarget(link) === program;
  const provided = isNeeded ? provideNode({ root, own, log, machine }) : Promise.resolve(null);
  provided.catch(() => {});
  await packages;
  let path = await provided;
  if (path === null) return;
  // It was in node_modules.
  if (!existsSync(path)) path = await provideNode({ root, own, log, machine });
  if (findTarget(link) === realpathSync(path)) return;
  mkdirSync(dirname(link), { recursive: true });
  // Another set-up may do the same.
  const temporary = `${link}-${process.pid}`;
  symlinkSync(path, temporary);
  renameSync(temporary, link);
  log(`npm scripts run ${path}`);
}

/** Returns the path of a Node, which is installed if necessary. */
async function provideNode({ root, own, log, machine }) {
  const { platform = process.platform, arch = process.arch } = machine;
  if (platform === 'linux' && ['x64', 'arm64'].includes(arch))
    return provideCachedNode(root, `node-linux-${arch}`, log);
  const found = findNode(machine);
  if (found !== null) return found.path;
  throw new Error(
    `The npm packages contain no Node for ${platform} ${arch}, and no Node ${MIN_MAJOR} or newer was found (this is ${own}): install one from nodejs.org or with a version manager, then run the command again.`,
  );
}

/**
 * Returns the path of the npm package's Node, of the version in the lock: in node_modules, where `npm ci`
 * alone puts it, else in the cache, where it is installed if it is missing. If the cache cannot be written,
 * the checkout has a folder of its own.
 */
async function provideCachedNode(root, name, log) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  const targets = [getCacheRoot(), join(root, '.cache')];
  const folder = `node-${version}`;
  const places = new Set([...targets, ...listCacheRoots()].map((target) => join(target, folder)));
  if (loadVersion(join(root, 'node_modules', name)) === version) places.add(join(root, 'node_modules', name));
  const found = [...places].map(getProgram).find(isExecutable);
  if (found !== undefined) return found;
  const startedAt = Date.now();
  log(`installing Node ${version} …`);
  const archive = await downloadPackage(`${name}@${version}`, integrity);
  const install = async (target) => {
    const options = {
      isComplete: (at) => isExecutable(getProgram(at)),
      fill: (at) => fill(at, archive, version),
    };
    return getProgram(await installFolder(target, folder, options));
  };
  const path = await install(targets[0]).catch(() => install(targets[1]));
  log(`Node installed as ${path} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  return path;
}

/** Unpacks Node without its headers and npm, and checks that it runs here. */
function fill(folder, archive, version) {
  const placed = ['bin/node', 'LICENSE'];
  untar(archive, folder, (name) => placed.find((path) => name === `package/${path}`) ?? null);
  const { stdout, stderr, error } = run(getProgram(folder));
  if (stdout?.trim() !== `v${version}`)
    throw new Error(`Node ${version} does not run on this machine: ${stderr?.trim() || error?.message}`);
}

function getProgram(folder) {
  return join(folder, 'bin/node');
}

/** Returns the file to which a link leads; null if there is none. */
function findTarget(link) {
  return existsSync(link) ? realpathSync(link) : null;
}

/** Loads the version of a package; null if it is not installed. */
function loadVersion(folder) {
  const path = join(folder, 'package.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : null;
}

/** Lists the `file` of each version in a folder, the newest version first. */
function listVersions(folder, file, pattern) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => join(folder, name, file));
}

function getVersion(path) {
  return /^v(\d+\.\d+\.\d+)/.exec(run(path).stdout ?? '')?.[1] ?? null;
}

function run(path) {
  return spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 5000 });
}
