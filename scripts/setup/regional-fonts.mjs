/**
 * Installs fonts for single regions: `npm run fonts -- ja ko zh-tw`. Without arguments it lists them. Plain
 * JavaScript for the machine's own Node (20 or newer).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { installFolder } from './cache-folder.mjs';
import { REGIONS, REGULAR_AND_BOLD } from './font-packages.mjs';
import { findFontsFolder, indexFonts, listFiles } from './fonts.mjs';
import { REGIONAL_FOLDER } from './fonts-config.mjs';
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
  log(`${region}: installing ${REGIONS[region].family} …`);
  await installFolder(join(root, REGIONAL_FOLDER), region, {
    isComplete: existsSync,
    fill: (temporary) => fill(temporary, REGIONS[region]),
  });
  return log(`${region}: installed`);
}

function getFolder(root, region) {
  return join(root, REGIONAL_FOLDER, region);
}

/** Downloads the package of a region, verifies it and copies its fonts. */
function fill(folder, region) {
  const work = mkdtempSync(join(tmpdir(), 'utility-api-fonts-'));
  try {
    const archive = download(region.package, work);
    assertIntegrity(archive, region);
    untar(gunzipSync(archive), work);
    for (const path of listFiles(work, REGULAR_AND_BOLD)) copyFileSync(path, join(folder, basename(path)));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function download(name, folder) {
  const { status, stderr } = spawnSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, name],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' },
  );
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (status !== 0 || archive === undefined)
    throw new Error(
      `${name} could not be downloaded: ${stderr?.trim().split('\n').at(-1) || 'npm pack failed'}`,
    );
  return readFileSync(join(folder, archive));
}

function assertIntegrity(archive, { package: name, integrity }) {
  if (`sha512-${createHash('sha512').update(archive).digest('base64')}` !== integrity)
    throw new Error(`${name} is not the package that was published (its SHA-512 differs).`);
}
