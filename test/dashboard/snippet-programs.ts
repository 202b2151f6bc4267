/** Runs the snippets of the dashboard: in a POSIX shell, and with the clients of this repository. */
import { execFile, execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { SnippetLanguage } from '../../dashboard/src/components/snippets.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** The programs with their flags, or the reason why a language cannot be run here. */
export const PROGRAMS: Record<SnippetLanguage, { command: string; flags: string[] } | string> = {
  curl: hasProgram('curl') ? { command: 'sh', flags: ['-c'] } : 'curl is not installed',
  typescript: { command: process.execPath, flags: ['--input-type=module-typescript', '-e'] },
  python: findPython() ?? 'there is no Python with httpx',
};

/** Returns a Python that has httpx: the machine's, or the environment that `npm test -- python` made. */
function findPython(): { command: string; flags: string[] } | undefined {
  const known = globSync('node_modules/.cache/python/*/bin/python', { cwd: root });
  const command = ['python3', ...known.map((path) => join(root, path))].find((python) =>
    succeeds(python, ['-c', 'import httpx']),
  );
  return command === undefined ? undefined : { command, flags: ['-c'] };
}

/** Prepares a folder in which the packages of both clients are found. */
export async function linkClients(folder: string): Promise<void> {
  const client = join(folder, 'node_modules/utility-api-client');
  await mkdir(client, { recursive: true });
  await writeFile(join(client, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  const source = new URL('../../client/src/index.ts', import.meta.url);
  await writeFile(join(client, 'index.js'), `export * from ${JSON.stringify(source.href)};`);
}

/** Runs a snippet in a folder with linked clients. Returns what it prints. */
export async function runSnippet(
  { command, flags }: { command: string; flags: string[] },
  code: string,
  folder: string,
  key: string,
): Promise<string> {
  const env = { ...process.env, UTILITY_API_KEY: key, PYTHONPATH: join(root, 'client/python/src') };
  const { stdout } = await run(command, [...flags, code], {
    env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
    cwd: folder,
  });
  return stdout;
}

function hasProgram(name: string): boolean {
  return succeeds('sh', ['-c', `command -v ${name}`]);
}

function succeeds(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
