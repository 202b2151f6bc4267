/**
 * Installs fonts for single regions: `npm run fonts -- ja ko zh-tw`. Without arguments it lists them. Plain
 * JavaScript for the machine's own Node (20 or newer).
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installFolder } from './cache-folder.mjs';
import { REGIONS, REGULAR_AND_BOLD } from './font-packages.mjs';
import { findFontsFolder, indexFonts } from './fonts.mjs';
import { REGIONAL_FOLDER } from './fonts-config.mjs';
import { downloadPackage } from './npm-package.mjs';
import { untar } from './untar.mjs';

const log = (line) => console.log(`fonts: ${line}`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    console.error(`fonts: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

async function run(regions) {
  const unknown = regions.filter((region) => !Object.hasOwn(REGIONS, region));
  if (unknown.length > 0)
    throw new Error(`Unknown: ${unknown.join(' ')}. The regions are ${Object.keys(REGIONS).join(' ')}.`);
  const folder = findFontsFolder();
  if (!folder) throw new Error('The fonts are not set up yet: run "npm run setup" first.');
  const root = dirname(folder);
  if (regions.length === 0) return listRegions(root);
  const missing = regions.filter((region) => !existsSync(getFolder(root, region)));
  for (const region of regions) await installRegion(root, region);
  await indexFonts(folder, log);
  if (missing.length > 0) log('A service that is running uses them after a restart.');
}

function listRegions(root) {
  for (const [region, { family }] of Object.entries(REGIONS))
    log(`${region}: ${family}, ${existsSync(getFolder(root, region)) ? 'installed' : 'not installed'}`);
}

/** Installs the font of a region. A running service uses it from the next start of the browser. */
async function installRegion(root, region) {
  if (existsSync(getFolder(root, region))) return log(`${region}: installed already`);
  const { package: name, integrity, family } = REGIONS[region];
  log(`${region}: installing ${family} …`);
  await installFolder(join(root, REGIONAL_FOLDER), region, {
    isComplete: existsSync,
    fill: async (temporary) =>
      untar(await downloadPackage(name, integrity), temporary, (path) =>
        REGULAR_AND_BOLD.test(path) ? basename(path) : null,
      ),
  });
  return log(`${region}: installed`);
}

function getFolder(root, region) {
  return join(root, REGIONAL_FOLDER, region);
}
