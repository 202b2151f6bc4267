/**
 * Writes what is generated from the code: openapi.json, docs/operate/configuration.md, the tables of
 * parameters, errors, metrics and alerts in the docs pages, the flags and controls of options, and the
 * comparison of README.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadRecorded, replaceComparison } from './comparison-table.ts';
import { formatConfigurationDoc, formatOpenApiDoc, replaceErrorTable } from './generated-docs.ts';
import { replaceMetricTables } from './metrics-doc.ts';
import { formatOptionFiles } from './option-files.ts';
import { PARAMETER_TABLES, replaceParameterTable } from './parameter-table.ts';

const root = new URL('../', import.meta.url);
const load = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const openApi = await formatOpenApiDoc();
const files: [path: string, text: string][] = [
  ['docs/guides/errors.md', replaceErrorTable(load('docs/guides/errors.md'))],
  ['docs/operate/configuration.md', formatConfigurationDoc()],
  ['docs/operate/monitor.md', replaceMetricTables(load('docs/operate/monitor.md'))],
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
