/** The version of this installation, and its command line as messages name it. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In a built tree (`npm run build`), a script beside the sources. */
const SCRIPT = fileURLToPath(new URL('../../bin/admin', import.meta.url));
/** In the checkout of a tree that `npm start` runs. The Node of a shell may be too old for the script. */
const CHECKOUT_SCRIPT = resolve(SCRIPT, '../../../scripts/find-entry.mjs');

/**
 * Returns the command line as messages name it: the script of a built tree, or the npm script of a checkout.
 */
export function getAdminCommand(): string {
  return existsSync(SCRIPT) && !existsSync(CHECKOUT_SCRIPT) ? SCRIPT : 'npm run --silent admin --';
}

/** Loads the version of the service from package.json, the only place that sets it. */
export function loadVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
