// Sets up what `npm start` and `npm test` need: packages, a browser, fonts, the dashboard's build. Does
// nothing if all of it is up to date. Plain JavaScript for the machine's own Node (20 or newer).
//   --start       for `npm start`: only the browser and the fonts if there is a current built tree
//   --for-build   for `npm run build`: no browser and no fonts
//   --packages    for `npm run utility-api`: only packages and Node
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setUpNode } from './setup/find-node.mjs';
import { setUpDashboard } from './setup/dashboard.mjs';
import { inspectTree, TREE } from './setup/tree-key.mjs';

const root = new URL('../', import.meta.url);
const at = (path) => fileURLToPath(new URL(path, root));
const log = (line) => console.log(`setup: ${line}`);

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  console.error(
    `setup: Node ${process.versions.node} is too old: install Node 20 or newer (npm then brings the one that runs the service).`,
  );
  process.exit(1);
}

if (process.argv.includes('--start') && inspectTree(at('.')) === 'current') {
  const { setUpBrowser } = await import(at(`${TREE}/scripts/setup-browser.mjs`)).catch(() => ({}));
  // A tree without set-up is for a machine that has a browser and fonts.
  await setUpBrowser?.();
} else {
  installPackages();
  provideNode();
  if (!process.argv.includes('--packages')) await setUpRest();
}

async function setUpRest() {
  await Promise.all([
    process.argv.includes('--for-build')
      ? null
      : import('./setup-browser.mjs').then(({ setUpBrowser }) => setUpBrowser()),
    setUpDashboard({ log }).catch((error) => log(`the dashboard could not be set up: ${error.message}`)),
  ]);
}

/** Runs `npm ci` unless the installed packages are those of package-lock.json. */
function installPackages() {
  if (arePackagesCurrent()) return;
  log('installing the packages (npm ci) …');
  const startedAt = Date.now();
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'], {
    cwd: at('.'),
    stdio: ['ignore', 'ignore', 'inherit'],
    // npm passes its own options to this script as variables; they must not affect the inner npm.
    env: { ...process.env, npm_config_ignore_scripts: 'true' },
  });
  if (result.status !== 0) {
    console.error(
      'setup: npm ci failed (see above): check that the npm registry can be reached, then run the command again.',
    );
    process.exit(1);
  }
  log(`packages installed in ${formatSeconds(startedAt)}`);
}

function arePackagesCurrent() {
  try {
    const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
    const installed = JSON.parse(readFileSync(at('node_modules/.package-lock.json'), 'utf8')).packages;
    // Container images omit the packages for development (npm ci --omit=dev).
    const omitDev = !existsSync(at('node_modules/typescript'));
    return Object.entries(wanted).every(
      ([path, entry]) =>
        path === '' ||
        entry.optional ||
        entry.devOptional ||
        (omitDev && entry.dev) ||
        installed[path]?.version === entry.version,
    );
  } catch {
    return false;
  }
}

/** Ends with an error if no Node that is new enough can be found. */
function provideNode() {
  try {
    setUpNode({ root: at('.'), log });
  } catch (error) {
    console.error(`setup: ${error.message}`);
    process.exit(1);
  }
}

function formatSeconds(startedAt) {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
}
