/**
 * Writes what is generated from the code: openapi.json, docs/reference/errors.md,
 * docs/operate/configuration.md, the tables of parameters in the docs pages, and the metrics and alerts of
 * docs/operate/operations.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { formatConfigurationDoc, formatErrorsDoc, formatOpenApiDoc } from './generated-docs.ts';
import { replaceMetricTables } from './metrics-doc.ts';
import { PARAMETER_TABLES, replaceParameterTable } from './parameter-table.ts';

const root = new URL('../', import.meta.url);
const openApi = await formatOpenApiDoc();
const files: [path: string, text: string][] = [
  ['docs/reference/errors.md', formatErrorsDoc()],
  ['docs/operate/configuration.md', formatConfigurationDoc()],
  [
    'docs/operate/operations.md',
    replaceMetricTables(readFileSync(new URL('docs/operate/operations.md', root), 'utf8')),
  ],
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
