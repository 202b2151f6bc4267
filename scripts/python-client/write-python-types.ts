/**
 * Writes client/python/src/utility_api/types.py from openapi.json. A test fails when the file is out of date.
 * Run it with `npm run docs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { OpenApiDocument } from './openapi-document.ts';
import { formatPythonTypes } from './format-python-types.ts';

const root = new URL('../../', import.meta.url);
const PATH = 'client/python/src/utility_api/types.py';

/** The generated module. */
export const PYTHON_TYPES_FILE = new URL(PATH, root);

if (import.meta.main) {
  const document = JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8')) as OpenApiDocument;
  writeFileSync(PYTHON_TYPES_FILE, formatPythonTypes(document));
  console.log(`wrote ${PATH}`);
}
