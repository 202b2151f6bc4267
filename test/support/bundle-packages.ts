/**
 * Bundles the packages of many small modules, of which every process of the tests would load some 1,200: that
 * is a third of the CPU time of a service's start. The code is that of the packages; only its files differ.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/bundled-packages');
/** The imports that lead to a bundle. They are built at once, so that parts of a package share its state. */
const IMPORTS = [
  'typebox',
  'typebox/compile',
  'kysely',
  'kysely/migration',
  'better-auth/minimal',
  'better-auth/api',
  'better-auth/adapters',
  'better-auth/cookies',
  'better-auth/plugins/generic-oauth',
  'better-auth/plugins/two-factor',
];

/**
 * Returns the option of Node that makes the sources of the project use the bundles, which are built if the
 * lock file has changed: a second.
 */
export async function bundlePackages(): Promise<string> {
  const key = createHash('sha256').update(JSON.stringify(IMPORTS)).update(process.version);
  for (const file of ['package-lock.json', 'test/support/bundle-packages.ts'])
    key.update(readFileSync(join(ROOT, file)));
  const folder = join(CACHE, key.digest('hex').slice(0, 16));
  if (!existsSync(folder)) await build(folder);
  const preload = new URL('bundled-packages.mjs', import.meta.url);
  return `--import=${preload.href}?folder=${encodeURIComponent(folder)}`;
}

async function build(folder: string): Promise<void> {
  const vite = await import('vite');
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  const names = IMPORTS.map((specifier) => [specifier, specifier.replaceAll('/', '__')] as const);
  await vite.build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, resolve: { conditions: ['node'] } },
    build: {
      ssr: true,
      outDir: draft,
      minify: false,
      target: 'esnext',
      rolldownOptions: {
        input: Object.fromEntries(names.map(([specifier, name]) => [name, specifier])),
        output: { entryFileNames: '[name].mjs', chunkFileNames: 'chunk-[hash].mjs' },
        preserveEntrySignatures: 'strict',
        treeshake: false,
      },
    },
  });
  const files = Object.fromEntries(names.map(([specifier, name]) => [specifier, `${name}.mjs`]));
  writeFileSync(join(draft, 'imports.json'), JSON.stringify(files));
  // Some tests run the service as another user.
  chmodSync(draft, 0o755);
  // Another run may have built the same.
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
}
