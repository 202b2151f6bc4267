import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundlePackages } from './support/bundle-packages.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
/** Prints how many modules were loaded for the names that src/ sees in these packages, and the names. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  let modules = 0;
  registerHooks({ load: (url, context, next) => ((modules += 1), next(url, context)) });
  const names = [];
  for (const name of ['typebox', 'kysely', 'better-auth/api'])
    names.push(name, ...Object.keys(await import(import.meta.resolve(name, parent))).toSorted());
  console.log(JSON.stringify({ modules, names }));`;

function load(parent: string, ...options: string[]): { modules: number; names: string[] } {
  const url = JSON.stringify(new URL(`../${parent}`, import.meta.url));
  const program = PROGRAM.replace('parent)', `${url})`);
  const flags = ['--experimental-import-meta-resolve', '--input-type=module', '--eval', program];
  const output = execFileSync(process.execPath, [...options, ...flags], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return JSON.parse(output) as { modules: number; names: string[] };
}

describe('the bundles of packages', () => {
  it('have the names of the packages in few modules, for the sources of the project', async () => {
    const option = await bundlePackages();
    const published = load('src/main.ts');
    const bundled = load('src/main.ts', option);
    assert.deepEqual(bundled.names, published.names);
    assert.ok(published.modules > 900, String(published.modules));
    assert.ok(bundled.modules < 40, String(bundled.modules));
    const elsewhere = load('node_modules/fastify/fastify.js', option);
    assert.deepEqual(elsewhere.modules, published.modules, 'a package loads what it would without the tests');
  });
});
