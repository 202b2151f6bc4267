/**
 * Writes what is generated from the code: openapi.json, docs/reference/errors.md,
 * docs/operate/configuration.md, the tables of parameters in the docs pages, the flags and
 * controls of options, the metrics and alerts of
 * docs/operate/operations.md, and the comparison of README.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadRecorded, replaceComparison } from './comparison-table.ts';
import { formatConfigurationDoc, formatErrorsDoc, formatOpenApiDoc } from './generated-docs.ts';
import { replaceMetricTables } from './metrics-doc.ts';
import { formatOptionFiles } from './option-files.ts';
import { PARAMETER_TABLES, replaceParameterTable } from './parameter-table.ts';

const root = new URL('../', import.meta.url);
const load = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const openApi = await formatOpenApiDoc();
const files: [path: string, text: string][] = [
  ['docs/reference/errors.md', formatErrorsDoc()],
  ['docs/operate/configuration.md', formatConfigurationDoc()],
  ['docs/operate/operations.md', replaceMetricTables(load('docs/operate/operations.md'))],
  ['README.md', replaceComparison(load('README.md'), loadRecorded(load))],
  ['openapi.json', openApi],
  ...Object.entries(formatOptionFiles()),
  ...PARAMETER_TABLES.map(([page, operationId]): [string, string] => [
    page,
    replaceParameterTable(load(page), operationId, openApi),
  ]),
];
for (const [path, text] of files) {
  writeFileSync(new URL(path, root), text);
  console.log(`wrote ${path}`);
}
