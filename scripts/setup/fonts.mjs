/**
 * Sets up the fonts: copies those of the npm packages beside the browser, where its user can read them, and
 * writes a fontconfig file. It does not change the host.
 */
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCacheRoot, installFolder, listCacheRoots } from './cache-folder.mjs';
import { setUpChromium } from './chromium.mjs';
import { FONT_PACKAGES } from './font-packages.mjs';
import { formatFontsConfig } from './fonts-config.mjs';
import { warmFontCache } from './warm-font-cache.mjs';

/** The service uses the highest number that it finds (src/browser/launch/find-chromium.ts). */
const FOLDER = 'fonts-3';
const NODE_MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/**
 * Installs the fonts unless those of the installed packages are there, and returns the path of the fontconfig
 * file for the browser.
 */
export async function setUpFonts({ log }) {
  const manifest = `${JSON.stringify(loadVersions())}\n`;
  const isComplete = (folder) =>
    readText(join(folder, 'manifest.json')) === manifest &&
    readText(join(folder, 'fonts.conf')) === formatFontsConfig(folder);
  const found = findFontsFolder(isComplete);
  if (found) return { fontconfigFile: join(found, 'fonts.conf') };
  const root = getCacheRoot();
  const startedAt = Date.now();
  log(`Installing the fonts into ${join(root, FOLDER)} …`);
  const folder = await installFolder(root, FOLDER, {
    isComplete,
    fill: async (temporary) => {
      mkdirSync(join(temporary, 'files'));
      for (const { name, files } of FONT_PACKAGES)
        for (const path of listFiles(join(NODE_MODULES, name), files))
          await installFont(path, join(temporary, 'files'));
      writeFileSync(join(temporary, 'fonts.conf'), formatFontsConfig(join(root, FOLDER)));
      writeFileSync(join(temporary, 'manifest.json'), manifest);
    },
  });
  await indexFonts(folder, log);
  log(`fonts installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  return { fontconfigFile: join(folder, 'fonts.conf') };
}

/** Finds the folder of the installed fonts; null if there is none. */
export function findFontsFolder(isComplete = (folder) => existsSync(join(folder, 'manifest.json'))) {
  const folders = listCacheRoots().map((root) => join(root, FOLDER));
  return folders.find(isComplete) ?? null;
}

/** Lists the files of a package whose path matches. */
function listFiles(folder, pattern) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => pattern.test(path));
}

/** Lets the browser index the fonts of the folder. Without a browser, its first start does. */
export async function indexFonts(folder, log) {
  const browser = await setUpChromium({ log: () => {} }).catch(() => null);
  if (browser) await warmFontCache(join(folder, 'fonts.conf'), browser.path, log);
}

/** Loads the versions of the installed packages, by name. Throws if one is missing. */
function loadVersions() {
  return Object.fromEntries(
    FONT_PACKAGES.map(({ name }) => {
      try {
        return [name, JSON.parse(readFileSync(join(NODE_MODULES, name, 'package.json'), 'utf8')).version];
      } catch {
        throw new Error(`The npm package ${name} is not installed: run npm ci.`);
      }
    }),
  );
}

/** Reads a file; null if there is none. */
function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** Copies a font. Chromium cannot read WOFF2 of the system: such a font is unpacked. */
async function installFont(path, folder) {
  if (!path.endsWith('.woff2'))
    return copyFileSync(path, join(folder, basename(path)), constants.COPYFILE_FICLONE);
  // Imported here, because it is installed by then.
  const { decompress } = createRequire(import.meta.url)('wawoff2');
  return writeFileSync(
    join(folder, basename(path).replace('.woff2', '.otf')),
    await decompress(readFileSync(path)),
  );
}
