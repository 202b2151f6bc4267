/**
 * Measures the script that each page loads first, in bytes of gzip: the entry point, the page and their
 * imports. `npm run bench -- first-load` prints them. The budget is 250 kB.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  file: string;
  imports?: string[];
}

/** The maximum per page, in bytes of gzip. */
export const FIRST_LOAD_BUDGET_BYTES = 250_000;

/** Returns the script bytes (gzip) of every page of a build, by the page's source file. */
export function measureFirstLoad(dist: string): Map<string, number> {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const pages = Object.keys(manifest).filter((name) => /^src\/pages\/.*-page\.tsx$/.test(name));
  const sizes = new Map<string, number>();
  return new Map(
    pages.map((page) => {
      const files = new Set<string>();
      collectFiles(manifest, 'index.html', files);
      collectFiles(manifest, page, files);
      return [page, [...files].reduce((sum, file) => sum + measureFile(dist, file, sizes), 0)];
    }),
  );
}

function collectFiles(manifest: Record<string, Chunk>, name: string, files: Set<string>): void {
  const chunk = manifest[name];
  if (!chunk || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) collectFiles(manifest, imported, files);
}

function measureFile(dist: string, file: string, sizes: Map<string, number>): number {
  const known = sizes.get(file);
  if (known !== undefined) return known;
  const size = file.endsWith('.js') ? gzipSync(readFileSync(join(dist, file)), { level: 9 }).length : 0;
  sizes.set(file, size);
  return size;
}

if (import.meta.main) {
  const rows = [...measureFirstLoad(join(import.meta.dirname, '../dist'))].sort((a, b) => b[1] - a[1]);
  for (const [page, bytes] of rows) console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${page}`);
  console.log(`budget: ${FIRST_LOAD_BUDGET_BYTES / 1000} kB of script, gzip`);
}
