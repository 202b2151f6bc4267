/** Compresses the build's files with brotli and gzip beforehand, so that the service does not have to. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const TEXT = /\.(?:js|mjs|css|svg|json|txt|wasm)$/;
const MIN_BYTES = 512;
// The highest quality takes 10 s for Scalar's 4 MB and saves 4%.
const LARGE_BYTES = 500_000;

/** Returns the Vite plugin. */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => void (folder = config.build.outDir),
    closeBundle: async () => {
      const files = (await readdir(folder, { recursive: true })).filter((file) => TEXT.test(file));
      await Promise.all(files.map((file) => compressFile(join(folder, file))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const data = await readFile(path);
  if (data.length < MIN_BYTES) return;
  const large = data.length > LARGE_BYTES;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: large ? 9 : 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
  };
  const [brotli, gzipped] = await Promise.all([
    compressBrotli(data, { params }),
    compressGzip(data, { level: 9 }),
  ]);
  if (brotli.length < data.length) await writeFile(`${path}.br`, brotli);
  if (gzipped.length < data.length) await writeFile(`${path}.gz`, gzipped);
}
