/**
 * Finds a headless Chromium, or unpacks the one that came with the npm packages into the cache folder.
 * Plain JavaScript for Node 20, without dependencies; fast if a browser is there; safe to run concurrently.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, constants as zlib, createBrotliDecompress } from 'node:zlib';
import { findClosedFolder, getCacheRoot, installFolder, listCacheRoots } from './cache-folder.mjs';
import { findFullBrowser, findHeadlessShell, isExecutable } from './installed-browsers.mjs';
import { untar } from './untar.mjs';

/** The version of @sparticuz/chromium in runtime/browser, and the SHA-256 of its archives. */
const VERSION = '153.0.0';
const ARCHIVES = {
  'chromium.br': '38e1e1649db20fa4ea644bf5987688ce81a4c9eb10e7eae8380b74fc0d699fea',
  'al2023.tar.br': 'a166168dd3e3e9d8743689fff543c5cadb3025c1816c6a154c90dc68a59edd0a',
  'fonts.tar.br': 'c1307fe5cd607092f0426742b4ab93755eec9a9b7752e47c56408c2bcf3e515b',
};

const PACKAGE = join(
  dirname(fileURLToPath(import.meta.url)),
  '..',
  '..',
  'node_modules',
  '@sparticuz',
  'chromium',
);

/**
 * Finds a browser: CHROMIUM_PATH, else an installed headless shell, else that of the npm package, which it
 * unpacks, else an installed Chrome or Chromium. Returns its path and its origin. Throws an Error that says
 * what is wrong and what to do. Tests set `machine`: `platform`, `arch`, `home`, `root`.
 */
export function setUpChromium({ log, machine }) {
  // The setup of the fonts needs the browser too, at the same time.
  running ??= findOrUnpack(log, machine).finally(() => (running = null));
  return running;
}

let running = null;

async function findOrUnpack(log, machine) {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!isExecutable(given))
      throw new Error(`CHROMIUM_PATH is ${given}, which is not an executable file: correct it or unset it.`);
    return { path: given, source: 'CHROMIUM_PATH' };
  }
  const shell = findHeadlessShell(machine);
  if (shell) return { path: shell, source: 'installed' };
  if (!hasPackagedChromium(machine)) return findInstalled(machine, log);
  const folder = findUnpacked();
  if (folder === null) return { path: await unpack(loadVersion(), log), source: 'npm' };
  assertPassable(folder);
  return { path: join(folder, 'chromium'), source: 'npm' };
}

/** Checks whether the machine has no headless shell, and none is unpacked: npm's has to be installed. */
export function needsPackagedChromium() {
  return (
    hasPackagedChromium() && !process.env.CHROMIUM_PATH && !findHeadlessShell() && findUnpacked() === null
  );
}

/** Finds the folder of the browser of the npm package in the caches; null if it is not unpacked. */
function findUnpacked() {
  return (
    listCacheRoots()
      .map((root) => join(root, `chromium-${VERSION}`))
      .find(isComplete) ?? null
  );
}

/** Checks whether the npm packages contain a Chromium for the machine. */
function hasPackagedChromium({ platform = process.platform, arch = process.arch } = {}) {
  return platform === 'linux' && arch === 'x64';
}

/** Finds an installed Chrome or Chromium. Throws an Error that says what to install if there is none. */
function findInstalled(machine, log) {
  const path = findFullBrowser(machine);
  const { platform = process.platform, arch = process.arch } = machine ?? {};
  if (path === null)
    throw new Error(
      `The npm packages contain no Chromium for ${platform} ${arch}, and none was found: install ${platform === 'darwin' ? 'Google Chrome or Chromium' : "Debian's chromium-headless-shell"}, or set CHROMIUM_PATH to a headless shell.`,
    );
  log(`Chromium: ${path}. A headless shell (CHROMIUM_PATH) prints 1.4 to 5 times as fast.`);
  return { path, source: 'installed' };
}

/** Loads the version of the installed npm package. */
function loadVersion() {
  try {
    return JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version;
  } catch {
    throw new Error(
      'The npm package @sparticuz/chromium is not installed: run npm run setup, install chromium-headless-shell, or set CHROMIUM_PATH.',
    );
  }
}

async function unpack(version, log) {
  if (version !== VERSION)
    throw new Error(
      `@sparticuz/chromium ${version} is not known to scripts/setup/chromium.mjs: check the package and write its version and the SHA-256 of its archives there.`,
    );
  const root = getCacheRoot();
  const name = `chromium-${version}`;
  const startedAt = Date.now();
  log(`Unpacking Chromium ${version} into ${join(root, name)} (200 MB, a few seconds, once) …`);
  const folder = await installFolder(root, name, {
    isComplete,
    fill: async (temporary) => {
      for (const [archive, sha256] of Object.entries(ARCHIVES))
        await verify(join(PACKAGE, 'bin', archive), sha256);
      untar(brotliDecompressSync(readFileSync(join(PACKAGE, 'bin', 'al2023.tar.br'))), temporary);
      untar(brotliDecompressSync(readFileSync(join(PACKAGE, 'bin', 'fonts.tar.br'))), temporary);
      const { bytes, sha256 } = await decompress(
        join(PACKAGE, 'bin', 'chromium.br'),
        join(temporary, 'chromium'),
      );
      chmodSync(join(temporary, 'chromium'), 0o755);
      writeFileSync(join(temporary, 'manifest.json'), `${JSON.stringify({ version, bytes, sha256 })}\n`, {
        mode: 0o644,
      });
    },
  });
  log(`Chromium unpacked in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  assertPassable(folder);
  return join(folder, 'chromium');
}

/** Throws if the user that the browser runs as cannot enter the folder: for root it is another user. */
function assertPassable(folder) {
  const closed = process.getuid?.() === 0 ? findClosedFolder(folder) : null;
  if (closed)
    throw new Error(
      `Only its owner may enter ${closed}, but the browser runs as another user: set CHROMIUM_CACHE to a folder that all users may enter.`,
    );
}

/** Checks whether the folder has a browser that was unpacked completely. */
function isComplete(folder) {
  try {
    const { bytes } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    const path = join(folder, 'chromium');
    return statSync(path).size === bytes && isExecutable(path);
  } catch {
    return false;
  }
}

async function verify(path, sha256) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  if (hash.digest('hex') !== sha256)
    throw new Error(
      `${path} is not the file that was published (its SHA-256 differs): remove node_modules and run npm ci again.`,
    );
}

/** Decompresses a brotli file. Returns the size and the hash of the result. */
async function decompress(from, to) {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const decoder = createBrotliDecompress({
    chunkSize: 1 << 20,
    params: { [zlib.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 },
  });
  await pipeline(
    createReadStream(from, { highWaterMark: 1 << 20 }),
    decoder,
    measure,
    createWriteStream(to, { mode: 0o755 }),
  );
  return { bytes, sha256: hash.digest('hex') };
}
