/** Creates the cache of fontconfig. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const TIMEOUT_MS = 30_000;

/**
 * Starts the browser once, so that it indexes the fonts: otherwise its first start would take half a second
 * longer.
 */
export async function warmFontCache(fontconfigFile, chromiumPath, log) {
  const profile = mkdtempSync(join(tmpdir(), 'utility-api-fonts-'));
  const libraries = join(dirname(chromiumPath), 'lib');
  const env = {
    PATH: process.env.PATH,
    HOME: profile,
    TMPDIR: profile,
    FONTCONFIG_FILE: fontconfigFile,
    ...(existsSync(libraries) ? { LD_LIBRARY_PATH: libraries } : {}),
  };
  // The page is our own. The sandbox does not work for root, and other users cannot write to the cache.
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
    log(`The fonts could not be indexed (${error.message}): the browser's first start will take longer.`);
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
      timeout: TIMEOUT_MS,
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
