/**
 * Writes the generated modules of the Python client: its types from openapi.json, and its version from
 * package.json. A test fails when a file is out of date. Run it with `npm run docs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { OpenApiDocument } from './openapi-document.ts';
import { formatPythonTypes } from './format-python-types.ts';

const root = new URL('../../', import.meta.url);
const load = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Returns the text of each generated module by its path. */
export function formatPythonModules(): Map<string, string> {
  const document = JSON.parse(load('openapi.json')) as OpenApiDocument;
  const { version } = JSON.parse(load('package.json')) as { version: string };
  const versionModule = `"""Generated from package.json by \`npm run docs\`. Do not edit."""\n\nVERSION = "${version}"\n`;
  return new Map([
    ['client/python/src/utility_api/types.py', formatPythonTypes(document)],
    ['client/python/src/utility_api/_version.py', versionModule],
  ]);
}

if (import.meta.main)
  for (const [path, text] of formatPythonModules()) {
    writeFileSync(new URL(path, root), text);
    console.log(`wrote ${path}`);
  }
