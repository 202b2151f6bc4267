/**
 * Installs the packages of some workspaces, from the one lock file. Plain JavaScript for Node 20, without
 * dependencies; fast if they are there.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const LINK = 'node_modules/';
/** Source maps, of which nothing here reads any. */
const UNUSED = /\.(js|cjs|mjs|ts|cts|mts|css)\.map$/;
/** It only has the hash of Node in the lock: find-node.mjs installs Node into the cache. */
const NODE = 'runtime/node';

/**
 * Installs the packages of the root and of `workspaces` unless they are there, and keeps those of other
 * workspaces that are. Throws an Error that says what to do if npm fails.
 */
export async function installPackages({ root, workspaces, log }) {
  const lock = load(join(root, 'package-lock.json'));
  const installed = load(join(root, 'node_modules/.package-lock.json'));
  const wanted = listWorkspaces(lock).filter(
    (name) => workspaces.includes(name) || isInstalled(lock, installed, name),
  );
  const needed = listNeeded(lock, ['', ...wanted]);
  const differs = (path) => installed[path]?.version !== lock[path].version;
  const missing = needed.filter((path) => !lock[path].optional && differs(path));
  if (missing.length === 0 && wanted.every((name) => isInstalled(lock, installed, name))) return;
  log(`installing the packages of ${['the service', ...wanted].join(', ')} …`);
  const startedAt = Date.now();
  // `npm install` adds to what is there, so that a running service keeps its files; `npm ci` starts afresh.
  const mayAdd =
    existsSync(join(root, 'node_modules/.package-lock.json')) && missing.every((path) => !installed[path]);
  const code = await runNpm(root, mayAdd ? ['install', '--no-save'] : ['ci'], wanted);
  if (code !== 0)
    throw new Error(
      'npm could not install the packages (see above): check that its registry can be reached, then run the command again.',
    );
  const added = needed.filter(differs).filter((path) => existsSync(join(root, path)));
  for (const path of added) removeUnused(join(root, path));
  log(`${added.length} packages installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** Lists the folders of node_modules that the workspaces need, with optional packages of all platforms. */
export function listNeeded(lock, workspaces) {
  const needed = new Set();
  const waiting = [...workspaces];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    for (const name of listDependencies(lock[from], from)) {
      const folder = findFolder(lock, from, name);
      if (folder === null || needed.has(folder)) continue;
      needed.add(folder);
      waiting.push(folder);
    }
  }
  return [...needed].sort((a, b) => (a < b ? -1 : 1));
}

function listDependencies(entry, from) {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = entry;
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !entry.peerDependenciesMeta?.[name]?.optional,
  );
  const dev = from.includes(LINK) ? {} : devDependencies;
  return [...Object.keys({ ...dependencies, ...dev, ...optionalDependencies }), ...peers];
}

/** Finds the package that `name` resolves to from a folder, as Node does: the nearest node_modules first. */
function findFolder(lock, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf(`/${LINK}`), 0))) {
    const folder = `${at && `${at}/`}${LINK}${name}`;
    if (lock[folder] !== undefined) return folder;
    if (at === '') return null;
  }
}

/** Lists the folders of the workspaces that can be installed. */
function listWorkspaces(lock) {
  return Object.keys(lock).filter((path) => path !== '' && path !== NODE && !path.includes(LINK));
}

function isInstalled(lock, installed, workspace) {
  return installed[LINK + lock[workspace].name] !== undefined;
}

/** Loads the packages of a lock file; none if there is no such file. */
function load(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

function runNpm(root, command, workspaces) {
  // `--include`, because NODE_ENV=production would leave out the packages that build the dashboard.
  const flags =
    '--no-audit --no-fund --loglevel=error --ignore-scripts --prefer-offline --include=dev --include=optional --include-workspace-root';
  const selection = workspaces.flatMap((name) => ['--workspace', name]);
  return new Promise((resolve, reject) => {
    const child = spawn('npm', [...command, ...flags.split(' '), ...selection], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      // npm passes its own options to this script as variables; they must not affect the inner npm.
      env: { ...process.env, npm_config_ignore_scripts: 'true' },
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

function removeUnused(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== 'node_modules') removeUnused(join(folder, entry.name));
    else if (UNUSED.test(entry.name)) rmSync(join(folder, entry.name));
  }
}
