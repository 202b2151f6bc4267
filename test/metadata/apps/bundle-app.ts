import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const DOCUMENTS = join(import.meta.dirname, 'documents');

interface SvelteCompiler {
  compile(source: string, options: { filename: string; generate: 'client' }): { js: { code: string } };
}

/** Bundles apps of documents/ with their frameworks in `packages`. Returns the chunks by path. */
export async function bundleApps(names: readonly string[], packages: string): Promise<Map<string, string>> {
  const input = Object.fromEntries(names.map((name) => [name, join(DOCUMENTS, `${name}.js`)]));
  const result = await build({
    root: packages,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [resolveFrom(packages), compileSvelte(packages)],
    build: {
      write: false,
      minify: false,
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: { input, output: { entryFileNames: '[name].js' } },
    },
  });
  const outputs = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  return new Map(
    outputs.flatMap((each) => (each.type === 'chunk' ? [[`/${each.fileName}`, each.code]] : [])),
  );
}

/** Resolves packages from their folder: the documents are not beneath it. */
function resolveFrom(packages: string): Plugin {
  return {
    name: 'resolve-from',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer?.startsWith(DOCUMENTS) || /^[./]/.test(source)) return null;
      return this.resolve(source, join(packages, 'importer.js'));
    },
  };
}

function compileSvelte(packages: string): Plugin {
  return {
    name: 'compile-svelte',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('.svelte')) return null;
      const { compile } = createRequire(join(packages, 'importer.js'))('svelte/compiler') as SvelteCompiler;
      return compile(await readFile(id, 'utf8'), { filename: id, generate: 'client' }).js.code;
    },
  };
}
