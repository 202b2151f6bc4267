/**
 * Finds a Node that can run the service, on platforms for which the npm packages contain none. Plain
 * JavaScript for Node 20.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isExecutable } from './installed-browsers.mjs';

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

/** Checks whether npm has to bring the Node that runs the service: on Linux, if the own one is older. */
export function needsPackagedNode({
  own = process.versions.node,
  platform = process.platform,
  arch = process.arch,
} = {}) {
  return Number.parseInt(own, 10) < MIN_MAJOR && platform === 'linux' && ['x64', 'arm64'].includes(arch);
}

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
 * version that runs this script. Throws an Error that says what to install if there is none.
 */
export function setUpNode({ root, own = process.versions.node, log, machine }) {
  const link = join(root, 'node_modules/.bin/node');
  if (existsSync(link) || Number.parseInt(own, 10) >= MIN_MAJOR) return;
  const found = findNode(machine);
  if (found === null)
    throw new Error(
      `The npm packages contain no Node for ${process.platform} ${process.arch}, and no Node ${MIN_MAJOR} or newer was found (this is ${own}): install one from nodejs.org or with a version manager, then run the command again.`,
    );
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(found.path, link);
  log(`npm scripts run ${found.path} (Node ${found.version})`);
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
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 5000 });
  return /^v(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1] ?? null;
}
