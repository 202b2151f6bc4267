/**
 * Sets up fonts for all scripts: unpacks Debian's packages beside the browser without installing them, and
 * writes a fontconfig file with metric-compatible replacements for Arial, Times and Courier. It does not
 * change the host.
 */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { getCacheRoot, installFolder, listCacheRoots } from './cache-folder.mjs';
import { setUpChromium } from './chromium.mjs';
import { formatFontsConfig, SYSTEM_FOLDERS } from './fonts-config.mjs';
import { warmFontCache } from './warm-font-cache.mjs';

/**
 * The packages for the 22 tested scripts and color emoji (27 MB), each with a file that shows it is
 * installed.
 */
const PACKAGES = {
  'fonts-liberation2': 'LiberationSans-Regular.ttf',
  'fonts-noto-core': 'NotoSansDevanagari-Regular.ttf',
  'fonts-droid-fallback': 'DroidSansFallbackFull.ttf',
  // Droid Sans Fallback lacks Hangul.
  'fonts-wqy-microhei': 'wqy-microhei.ttc',
  'fonts-noto-color-emoji': 'NotoColorEmoji.ttf',
};
/** After a failed download, no other is tried for a day. */
const RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
/**
 * The folder of this set and configuration: the number is raised when they change. The service looks for the
 * same name (src/browser/launch/find-chromium.ts).
 */
const REVISION = 'fonts-2';
const DOWNLOAD_TIMEOUT_MS = 60_000;

/**
 * Returns the path of the fontconfig file for the browser. If fonts are missing, the log says which scripts
 * will print as boxes.
 */
export async function setUpFonts({ log }) {
  for (const root of listCacheRoots()) {
    const folder = join(root, REVISION);
    const missing = loadMissing(folder);
    if (!missing) continue;
    if (missing.length > 0) log(formatMissing(missing));
    return { fontconfigFile: join(folder, 'fonts.conf') };
  }
  const browser = setUpChromium({ log: () => {} }).then(
    ({ path }) => path,
    () => null,
  );
  const root = getCacheRoot();
  const found = listFontFiles(SYSTEM_FOLDERS);
  const wanted = Object.keys(PACKAGES).filter((name) => !found.has(PACKAGES[name]));
  const folder = await installFolder(root, REVISION, {
    isComplete: (path) => loadMissing(path) !== null,
    fill: async (temporary) => {
      if (wanted.length > 0)
        log(`Fetching fonts for all scripts (${wanted.join(', ')}; 27 MB at most, once) …`);
      const missing = wanted.length > 0 ? await fetchFonts(wanted, temporary, log) : [];
      writeFileSync(join(temporary, 'fonts.conf'), formatFontsConfig(join(root, REVISION), await browser));
      writeFileSync(
        join(temporary, 'manifest.json'),
        `${JSON.stringify({ missing, at: new Date().toISOString() })}\n`,
      );
    },
  });
  const chromiumPath = await browser;
  if (chromiumPath) await warmFontCache(join(folder, 'fonts.conf'), chromiumPath, log);
  return { fontconfigFile: join(folder, 'fonts.conf') };
}

/** Loads the packages that the folder lacks; null if there is no such folder, or it is time to try again. */
function loadMissing(folder) {
  try {
    const { missing, at } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    if (!existsSync(join(folder, 'fonts.conf'))) return null;
    return missing.length > 0 && Date.now() - Date.parse(at) > RETRY_AFTER_MS ? null : missing;
  } catch {
    return null;
  }
}

function formatMissing(packages) {
  return `Some fonts are missing: text that is not Latin, Greek or Cyrillic may print as boxes. Install ${packages.join(' ')}, remove ${join(getCacheRoot(), REVISION)} and run the setup again.`;
}

/** Lists the names of all files below the folders. */
function listFontFiles(folders) {
  const names = new Set();
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    for (const entry of readdirSync(folder, { recursive: true }))
      names.add(entry.slice(entry.lastIndexOf('/') + 1));
  }
  return names;
}

/** Downloads the packages and unpacks them. Returns those that failed. apt checks the signatures. */
async function fetchFonts(packages, folder, log) {
  const work = mkdtempSync(join(tmpdir(), 'utility-api-fonts-'));
  try {
    await download(packages, work);
    for (const file of readdirSync(work).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg', ['-x', join(work, file), folder], { cwd: work });
    }
    const unpacked = listFontFiles([join(folder, 'usr', 'share', 'fonts')]);
    return packages.filter((name) => !unpacked.has(PACKAGES[name]));
  } catch (error) {
    log(`Fonts could not be fetched: ${error.message}. ${formatMissing(packages)}`);
    return packages;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Downloads with the package lists of the host, else with new ones in the work folder. */
async function download(packages, work) {
  const common = [
    '-q',
    '-o',
    'Acquire::Retries=1',
    '-o',
    'Acquire::http::Timeout=15',
    '-o',
    'Acquire::https::Timeout=15',
    '-o',
    `APT::Sandbox::User=${userInfo().username}`,
  ];
  try {
    await run('apt-get', [...common, 'download', ...packages], { cwd: work });
  } catch (first) {
    if (first.code === 'ENOENT') throw new Error('apt-get is not installed', { cause: first });
    const own = [
      ...common,
      '-o',
      `Dir::State::lists=${join(work, 'lists')}`,
      '-o',
      `Dir::Cache=${join(work, 'cache')}`,
    ];
    for (const name of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(work, name), { recursive: true });
    await run('apt-get', [...own, 'update'], { cwd: work });
    await run('apt-get', [...own, 'download', ...packages], { cwd: work });
  }
}

/** Runs a command within the time limit; rejects with its last line if it fails. */
function run(command, args, { cwd, env = process.env, timeoutMs = DOWNLOAD_TIMEOUT_MS }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors = (errors + chunk).slice(-4000)));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(
            signal ? `${command} took too long` : errors.trim().split('\n').at(-1) || `${command} failed`,
          ),
        );
    });
  });
}
