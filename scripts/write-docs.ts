/**
 * Writes what is generated from the code: openapi.json, docs/errors.md, docs/configuration.md, and the tables
 * of parameters in the docs pages.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { formatConfigurationDoc, formatErrorsDoc, formatOpenApiDoc } from './generated-docs.ts';
import { PARAMETER_TABLES, replaceParameterTable } from './parameter-table.ts';

const root = new URL('../', import.meta.url);
const openApi = await formatOpenApiDoc();
const files: [path: string, text: string][] = [
  ['docs/errors.md', formatErrorsDoc()],
  ['docs/configuration.md', formatConfigurationDoc()],
  ['openapi.json', openApi],
  ...PARAMETER_TABLES.map(([page, operationId]): [string, string] => [
    page,
    replaceParameterTable(readFileSync(new URL(page, root), 'utf8'), operationId, openApi),
  ]),
];
for (const [path, text] of files) {
  writeFileSync(new URL(path, root), text);
  console.log(`wrote ${path}`);
}
