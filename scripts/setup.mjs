// All the set-up that `npm start` and `npm test` need: packages, a browser, fonts, the dashboard's build.
// Plain JavaScript for the machine's own Node (20 or newer); does nothing where nothing is to be done.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const at = (path) => fileURLToPath(new URL(path, root));
const log = (line) => console.log(`set-up: ${line}`);

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  console.error(
    `set-up: Node ${process.versions.node} is too old: install Node 20 or newer (npm then brings the one that runs the service).`,
  );
  process.exit(1);
}

installPackages();
await setUpParts();

/** Runs `npm ci` where what is installed is not what the lock says. */
function installPackages() {
  if (packagesAreCurrent()) return;
  log('installing the packages (npm ci) …');
  const startedAt = Date.now();
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'], {
    cwd: at('.'),
    stdio: ['ignore', 'ignore', 'inherit'],
    // What npm hands to its scripts (the outer command's options) must not steer the inner one.
    env: { ...process.env, npm_config_ignore_scripts: 'true' },
  });
  if (result.status !== 0) {
    console.error(
      'set-up: npm ci failed (see above): check that the npm registry can be reached, then run the command again.',
    );
    process.exit(1);
  }
  log(`packages installed in ${seconds(startedAt)}`);
}

function packagesAreCurrent() {
  try {
    const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
    const installed = JSON.parse(readFileSync(at('node_modules/.package-lock.json'), 'utf8')).packages;
    // Images leave out what only development needs (npm ci --omit=dev).
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

/** The parts that cost only their own operation when they fail: each says so itself, and the others go on. */
async function setUpParts() {
  const parts = await Promise.all([
    import('./setup/chromium.mjs').then((module) => ({ name: 'the browser', setUp: module.setUpChromium })),
    import('./setup/fonts.mjs').then((module) => ({ name: 'the fonts', setUp: module.setUpFonts })),
    import('./setup/dashboard.mjs').then((module) => ({
      name: 'the dashboard',
      setUp: module.setUpDashboard,
    })),
  ]);
  await Promise.all(
    parts.map(async ({ name, setUp }) => {
      try {
        await setUp({ log });
      } catch (error) {
        log(`${name} could not be set up: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
}

function seconds(startedAt) {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
}
