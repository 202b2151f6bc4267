/** The package as npm publishes it, built and packed into a folder of its own. */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from '../build/build.ts';

const client = fileURLToPath(new URL('../', import.meta.url));

/** Packs the client and installs it in `folder`. Returns the bytes of the tarball. */
export function installPackedClient(folder: string): Uint8Array<ArrayBuffer> {
  const source = join(folder, 'source');
  mkdirSync(source, { recursive: true });
  for (const name of ['package.json', 'README.md', 'LICENSE']) cpSync(join(client, name), join(source, name));
  buildClient(join(source, 'dist'));
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: source,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [name = ''] = globSync('*.tgz', { cwd: folder });
  const target = join(folder, 'node_modules/utility-api-client');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, name), '-C', target, '--strip-components=1']);
  return new Uint8Array(readFileSync(join(folder, name)));
}

let oldestNode: string | null = null;

/** Finds the oldest Node of the machine that the client supports; without another, that of this process. */
export function findOldestNode(): string {
  oldestNode ??= searchOldestNode();
  return oldestNode;
}

function searchOldestNode(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = globSync(folders.map((folder) => join(folder, 'node'))).flatMap((path) => {
    try {
      const version = execFileSync(path, ['--version'], { encoding: 'utf8' });
      const major = Number(/^v(\d+)\./.exec(version)?.[1]);
      return major >= 20 ? [{ path, major }] : [];
    } catch {
      return [];
    }
  });
  return found.toSorted((one, other) => one.major - other.major)[0]?.path ?? process.execPath;
}
