/**
 * Writes the committed files that are generated from the code: openapi.json, docs/errors.md,
 * docs/configuration.md.
 */
import { writeFileSync } from 'node:fs';
import { formatConfigurationDoc, formatErrorsDoc, formatOpenApiDoc } from './generated-docs.ts';

const files: [path: string, text: string][] = [
  ['docs/errors.md', formatErrorsDoc()],
  ['docs/configuration.md', formatConfigurationDoc()],
  ['openapi.json', await formatOpenApiDoc()],
];
for (const [path, text] of files) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
  console.log(`wrote ${path}`);
}
