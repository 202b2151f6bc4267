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
import { dirname, join } from 'node:path';
import { cacheRoot, cacheRoots, installFolder } from './cache-folder.mjs';
import { setUpChromium } from './chromium.mjs';

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
/** After a failed download the next set-ups of a day only say so. */
const RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
/** Raised when the set or the configuration changes, so that an old cache is not taken for the new one. */
const REVISION = 'fonts-2';
const SYSTEM_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts'];
const DOWNLOAD_TIMEOUT_MS = 60_000;
const WARM_TIMEOUT_MS = 30_000;

/**
 * Answers the path of the fontconfig file that the browser is to use. Never throws for want of fonts:
 * one line of the log says then which scripts will print as boxes.
 */
export async function setUpFonts({ log }) {
  for (const root of cacheRoots()) {
    const folder = join(root, REVISION);
    const missing = readMissing(folder);
    if (!missing) continue;
    if (missing.length > 0) log(boxesSentence(missing));
    return { fontconfigFile: join(folder, 'fonts.conf') };
  }
  const browser = setUpChromium({ log: () => {} }).then(
    ({ path }) => path,
    () => null,
  );
  const root = cacheRoot();
  const found = listFontFiles(SYSTEM_FOLDERS);
  const wanted = Object.keys(PACKAGES).filter((name) => !found.has(PACKAGES[name]));
  const folder = await installFolder(root, REVISION, {
    isComplete: (path) => readMissing(path) !== null,
    fill: async (temporary) => {
      if (wanted.length > 0)
        log(`Fetching fonts for all scripts (${wanted.join(', ')}; 27 MB at most, once) …`);
      const missing = wanted.length > 0 ? await fetchFonts(wanted, temporary, log) : [];
      writeFileSync(join(temporary, 'fonts.conf'), fontsConf(join(root, REVISION), await browser));
      writeFileSync(
        join(temporary, 'manifest.json'),
        `${JSON.stringify({ missing, at: new Date().toISOString() })}\n`,
      );
    },
  });
  const chromiumPath = await browser;
  if (chromiumPath) await warm(join(folder, 'fonts.conf'), chromiumPath, log);
  return { fontconfigFile: join(folder, 'fonts.conf') };
}

/** The packages that the folder lacks; null where there is no such folder, or it is time to try once more. */
function readMissing(folder) {
  try {
    const { missing, at } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    if (!existsSync(join(folder, 'fonts.conf'))) return null;
    return missing.length > 0 && Date.now() - Date.parse(at) > RETRY_AFTER_MS ? null : missing;
  } catch {
    return null;
  }
}

function boxesSentence(packages) {
  return `Some fonts are missing: what is not Latin, Greek or Cyrillic may print as boxes. Install ${packages.join(' ')}, remove ${join(cacheRoot(), REVISION)} and run the set-up again.`;
}

/** The names of all font files below the folders. */
function listFontFiles(folders) {
  const names = new Set();
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    for (const entry of readdirSync(folder, { recursive: true }))
      names.add(entry.slice(entry.lastIndexOf('/') + 1));
  }
  return names;
}

/** Downloads the packages and unpacks them; returns those that failed. apt checks the signatures. */
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
    log(`Fonts could not be fetched: ${error.message}. ${boxesSentence(packages)}`);
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
    if (first.code === 'ENOENT') throw new Error('there is no apt-get here', { cause: first });
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

/**
 * Formats fontconfig's file: replacements of the same metrics for common fonts, and families for the generic
 * names.
 */
function fontsConf(folder, chromiumPath) {
  const folders = [
    join(folder, 'usr', 'share', 'fonts'),
    ...SYSTEM_FOLDERS,
    ...(chromiumPath ? [join(dirname(chromiumPath), 'fonts')] : []),
  ];
  const same = (names, family) =>
    names.map(
      (name) =>
        `  <match target="pattern"><test qual="any" name="family"><string>${name}</string></test><edit name="family" mode="append" binding="same"><string>${family}</string></edit></match>`,
    );
  const prefer = (generic, families) =>
    `  <alias><family>${generic}</family><prefer>${families.map((name) => `<family>${name}</family>`).join('')}</prefer></alias>`;
  return `${[
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders.map((path) => `  <dir>${path}</dir>`),
    `  <cachedir>${join(folder, 'cache')}</cachedir>`,
    ...same(
      [
        'Arial',
        'Helvetica',
        'Helvetica Neue',
        'Arimo',
        'Verdana',
        'Tahoma',
        'Segoe UI',
        'Calibri',
        'Trebuchet MS',
      ],
      'Liberation Sans',
    ),
    ...same(['Times New Roman', 'Times', 'Georgia', 'Cambria', 'Garamond', 'Tinos'], 'Liberation Serif'),
    ...same(['Courier New', 'Courier', 'Consolas', 'Menlo', 'Cousine'], 'Liberation Mono'),
    prefer('sans-serif', [
      'Liberation Sans',
      'Open Sans',
      'Noto Sans',
      'Droid Sans Fallback',
      'WenQuanYi Micro Hei',
      'Noto Color Emoji',
    ]),
    prefer('serif', [
      'Liberation Serif',
      'Noto Serif',
      'Droid Sans Fallback',
      'WenQuanYi Micro Hei',
      'Noto Color Emoji',
    ]),
    prefer('monospace', [
      'Liberation Mono',
      'Noto Sans Mono',
      'Droid Sans Fallback',
      'WenQuanYi Micro Hei',
      'Noto Color Emoji',
    ]),
    prefer('system-ui', ['Noto Sans', 'Liberation Sans', 'Open Sans']),
    prefer('emoji', ['Noto Color Emoji']),
    '</fontconfig>',
  ].join('\n')}\n`;
}

/** Starts the browser once to index the fonts; its first start would take half a second longer otherwise. */
async function warm(fontconfigFile, chromiumPath, log) {
  const profile = mkdtempSync(join(tmpdir(), 'utility-api-fonts-'));
  const libraries = join(dirname(chromiumPath), 'lib');
  const env = {
    PATH: process.env.PATH,
    HOME: profile,
    TMPDIR: profile,
    FONTCONFIG_FILE: fontconfigFile,
    ...(existsSync(libraries) ? { LD_LIBRARY_PATH: libraries } : {}),
  };
  // The page is a constant of ours. The sandbox cannot be on for root, and other users cannot write to the
  // cache.
  const args = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-software-rasterizer',
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
  ];
  try {
    await openOnePage(chromiumPath, args, env);
  } catch (error) {
    log(`The font cache could not be warmed (${error.message}): the browser's first start will take longer.`);
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/**
 * Starts the browser, opens one page with text of several scripts, and closes it. The debugging pipe is
 * NUL-separated JSON on file descriptors 3 and 4.
 */
function openOnePage(chromiumPath, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(chromiumPath, args, {
      env,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      timeout: WARM_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    const send = (id, method, params) => child.stdio[3].write(`${JSON.stringify({ id, method, params })}\0`);
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error('the browser did not start'))));
    child.stdio[3].on('error', () => {});
    child.stdio[4].on('data', (chunk) => {
      if (chunk.includes('"id":1')) send(2, 'Browser.close', {});
    });
    send(1, 'Target.createTarget', {
      url: 'data:text/html,<p style="font-family:Arial">a &#x4e00; &#x905; &#x1f600;',
    });
  });
}
