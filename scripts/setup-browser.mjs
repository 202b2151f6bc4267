/**
 * Sets up what the service needs besides its tree: a browser and fonts, in a folder that all users may read
 * (CHROMIUM_CACHE, else /var/cache/utility-api, else the user's cache folder). Plain JavaScript for Node 20.
 */
import { fileURLToPath } from 'node:url';
import { setUpChromium } from './setup/chromium.mjs';
import { setUpFonts } from './setup/fonts.mjs';

const log = (line) => console.log(`setup: ${line}`);

/** Sets up both. Logs the reason if one fails, and returns whether both are there. */
export async function setUpBrowser() {
  const results = await Promise.all([
    attempt('the browser', () => setUpChromium({ log })),
    attempt('the fonts', () => setUpFonts({ log })),
  ]);
  return results.every(Boolean);
}

async function attempt(name, setUp) {
  try {
    await setUp();
    return true;
  } catch (error) {
    log(`${name} could not be set up: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await setUpBrowser()) ? 0 : 1;
