/**
 * Builds the dashboard into dashboard/dist if its sources or the packages have changed since the last build.
 * Plain JavaScript for Node 20, without dependencies; fast if it is up to date; safe to run concurrently.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const dashboard = join(root, 'dashboard');
const dist = join(dashboard, 'dist');
/** A file in the build with the key of its sources. The service does not serve dot files. */
const KEY_FILE = '.build-key';

/** Checks whether dashboard/dist was built from the sources as they are now. */
export function isDashboardBuilt() {
  return loadBuiltKey() === computeSourceKey();
}

/**
 * Builds dashboard/dist if its sources have changed, and returns whether it did. Without the packages for
 * development it keeps the existing build. Throws an Error with Vite's output if the build fails.
 */
export async function setUpDashboard({ log }) {
  if (isDashboardBuilt()) return { built: false };
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  if (!existsSync(vite)) {
    if (!existsSync(join(dist, 'index.html')))
      log('the dashboard is not built, and its build tools are not installed: run "npm run setup"');
    return { built: false };
  }
  log('building the dashboard …');
  const key = computeSourceKey();
  const startedAt = Date.now();
  const fresh = join(root, '.cache', `dashboard-${process.pid}`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  try {
    await runVite(vite, fresh);
    writeFileSync(join(fresh, KEY_FILE), key);
    replaceFolder(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  log(`dashboard built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  return { built: true };
}

/**
 * Computes a hash of the names and contents of the dashboard's sources, of the guides that it shows with the
 * table of errors, and of package-lock.json.
 */
function computeSourceKey() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const guides = existsSync(join(root, 'docs/guides')) ? listSources(join(root, 'docs/guides')) : [];
  for (const file of [...listSources(dashboard), ...guides, join(root, 'src/errors.ts')])
    hash.update(`\0${file.slice(root.length)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('dist') && !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listSources(path) : [path];
    });
}

function loadBuiltKey() {
  try {
    return readFileSync(join(dist, KEY_FILE), 'utf8');
  } catch {
    return null;
  }
}

function runVite(vite, outDir) {
  const ownNode = join(root, 'node_modules/.bin/node');
  return new Promise((resolve, reject) => {
    const child = spawn(
      existsSync(ownNode) ? ownNode : process.execPath,
      [vite, 'build', dashboard, '--outDir', outDir, '--logLevel', 'warn'],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_ENV: 'production' } },
    );
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(new Error(`Vite ended with ${code}: ${output.trim().slice(-2000) || 'it printed nothing'}`));
    });
  });
}

/** Replaces `target` by `fresh`. */
function replaceFolder(fresh, target) {
  const old = `${fresh}-old`;
  try {
    renameSync(target, old);
  } catch {
    // There was no build.
  }
  try {
    renameSync(fresh, target);
  } catch (error) {
    // A concurrent setup has installed its build of the same sources.
    if (!existsSync(join(target, KEY_FILE))) throw error;
  }
  rmSync(old, { recursive: true, force: true });
}
