/** Downloads single packages of npm, without installing them. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/**
 * Downloads a package (`name@version`), or takes it from npm's cache, and returns its tar archive. Throws if
 * npm fails, or if its SHA-512 is not that of `integrity` (as in package-lock.json).
 */
export async function downloadPackage(spec, integrity) {
  const folder = mkdtempSync(join(tmpdir(), 'utility-api-package-'));
  try {
    const error = await pack(spec, folder);
    const file = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    if (error !== null || file === undefined)
      throw new Error(
        `${spec} could not be downloaded (${error || 'npm pack failed'}): check that npm's registry can be reached, then run the command again.`,
      );
    const archive = readFileSync(join(folder, file));
    if (`sha512-${createHash('sha512').update(archive).digest('base64')}` !== integrity)
      throw new Error(`${spec} is not the package that was published (its SHA-512 differs).`);
    return await promisify(gunzip)(archive);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets npm write the archive into the folder. Returns the last line of its errors, or null. */
function pack(spec, folder) {
  const flags = '--loglevel=error --ignore-scripts --prefer-offline --pack-destination';
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['pack', ...flags.split(' '), folder, spec], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0 ? null : (errors.trim().split('\n').at(-1) ?? '')));
  });
}
