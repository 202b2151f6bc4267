// Sets up what `npm start` and `npm test` need: packages, a browser, fonts, the dashboard's build. Does
// nothing if all of it is up to date. Plain JavaScript for the machine's own Node (20 or newer).
//   --start       for `npm start`: what the service and the dashboard need; only the browser and the fonts if
//                 there is a current built tree
//   --for-build   for `npm run build`: the same, without setting up the browser and the fonts
//   --packages    for `npm run utility-api`: only the packages that run, and Node
//   --client      for `npm pack -w client`: the same, and the packages that build the client
// Without an argument also what tests, lint, docs and benchmarks need.
import { fileURLToPath } from 'node:url';
import { needsPackagedChromium } from './setup/chromium.mjs';
import { isDashboardBuilt, setUpDashboard } from './setup/dashboard.mjs';
import { setUpNode } from './setup/find-node.mjs';
import { installPackages } from './setup/packages.mjs';
import { inspectTree, TREE } from './setup/tree-key.mjs';

const root = new URL('../', import.meta.url);
const at = (path) => fileURLToPath(new URL(path, root));
const has = (flag) => process.argv.includes(flag);
const log = (line) => console.log(`setup: ${line}`);

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  console.error(
    `setup: Node ${process.versions.node} is too old: install Node 20 or newer (npm then brings the one that runs the service).`,
  );
  process.exit(1);
}

const hasTree = has('--start') && inspectTree(at('.')) === 'current';
try {
  const packages = hasTree
    ? Promise.resolve()
    : installPackages({ root: at('.'), workspaces: listWorkspaces(), log });
  await setUpNode({ root: at('.'), packages, log });
} catch (error) {
  console.error(`setup: ${error.message}`);
  process.exit(1);
}
if (hasTree) {
  const { setUpBrowser } = await import(at(`${TREE}/scripts/setup-browser.mjs`)).catch(() => ({}));
  // A tree without set-up is for a machine that has a browser and fonts.
  await setUpBrowser?.();
} else if (!has('--packages') && !has('--client')) await setUpRest();

/** Lists the workspaces that this command and this machine need. */
function listWorkspaces() {
  if (has('--packages')) return [];
  if (has('--client')) return ['client'];
  const browser = !has('--for-build') && needsPackagedChromium() ? ['runtime/browser'] : [];
  const dashboard = isDashboardBuilt() ? [] : ['dashboard'];
  if (has('--start') || has('--for-build')) return [...dashboard, ...browser];
  return ['dashboard', 'client', 'tooling', ...browser];
}

async function setUpRest() {
  await Promise.all([
    has('--for-build') ? null : import('./setup-browser.mjs').then(({ setUpBrowser }) => setUpBrowser()),
    setUpDashboard({ log }).catch((error) => log(`the dashboard could not be set up: ${error.message}`)),
  ]);
}
