// Sets up what `npm start` and `npm test` need: packages, a browser, fonts, the dashboard's build. Does
// nothing if all of it is up to date. Plain JavaScript for the machine's own Node (20 or newer).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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

installPackages();
await setUpParts();

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

/**
 * Sets up the parts. If one fails, the reason is logged and the others continue: only what needs it is
 * missing.
 */
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

function formatSeconds(startedAt) {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
}
