/**
 * Writes the committed files that are generated from the code: openapi.json, docs/errors.md,
 * docs/configuration.md.
 */
import { writeFileSync } from 'node:fs';
import { writeConfigurationDoc, writeErrorsDoc, writeOpenApiDoc } from './generated-docs.ts';

const files: [path: string, text: string][] = [
  ['docs/errors.md', writeErrorsDoc()],
  ['docs/configuration.md', writeConfigurationDoc()],
  ['openapi.json', await writeOpenApiDoc()],
];
for (const [path, text] of files) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
  console.log(`wrote ${path}`);
}
