import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { loadRecorded, replaceComparison } from '../scripts/comparison-table.ts';
import { formatConfigurationDoc, formatOpenApiDoc, replaceErrorTable } from '../scripts/generated-docs.ts';
import { formatOptionFiles } from '../scripts/option-files.ts';
import { expandReferences } from './support/expand-references.ts';

const committed = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('docs/guides/errors.md is up to date with the table of errors (npm run docs)', () => {
  const page = committed('docs/guides/errors.md');
  assert.equal(page, replaceErrorTable(page));
});

it('docs/operate/configuration.md is up to date with the table of settings (npm run docs)', () => {
  assert.equal(committed('docs/operate/configuration.md'), formatConfigurationDoc());
});

it('the comparison of README is that of the recorded benchmarks (npm run docs)', () => {
  const readme = committed('README.md');
  assert.equal(readme, replaceComparison(readme, loadRecorded(committed)));
  const rows = readme.split('\n').filter((line) => /^\|.* \| `npm run /.test(line));
  assert.equal(rows.length, 8);
  for (const row of rows) assert.match(row, /\| \*\*[\d.,]+%?\*\* \| [\d.,]+%? \([^)]+\) \|/);
});

it('the flags and the controls of options are up to date with their tables (npm run docs)', () => {
  for (const [path, text] of Object.entries(formatOptionFiles())) assert.equal(committed(path), text, path);
});

it('openapi.json is up to date with the routes (npm run docs)', async () => {
  assert.equal(committed('openapi.json'), await formatOpenApiDoc());
});

/**
 * Returns the faults of a document by OpenAPI 3.1. An unknown keyword of a schema is one too, although JSON
 * Schema permits it.
 */
async function findOpenApiFaults(source: string): Promise<string[]> {
  const faults = await lintFromString({ source, config: await createConfig({ extends: ['spec'] }) });
  return faults.map(({ message, location }) => `${location[0]?.pointer}: ${message}`);
}

it('openapi.json conforms to OpenAPI 3.1, down to the schemas of headers', async () => {
  const source = committed('openapi.json');
  assert.deepEqual(await findOpenApiFaults(source), []);
  const document = JSON.parse(source) as {
    components: { headers: Record<string, object> };
  };
  document.components.headers['X-RateLimit-Limit'] = { schema: { schema: { type: 'integer' } } };
  const [fault = ''] = await findOpenApiFaults(JSON.stringify(document));
  assert.match(fault, /X-RateLimit-Limit\/schema\/schema: Property `schema` is not expected here/);
});

it('openapi.json requires the same parameters and members as the contract', () => {
  interface Operation {
    operationId: string;
    parameters?: { name: string; required?: boolean }[];
    requestBody?: { content: Record<string, { schema: { required?: string[] } }> };
  }
  const { paths } = expandReferences(committed('openapi.json')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const required = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId, parameters = [], requestBody }) => [
      operationId,
      ...parameters.filter((parameter) => parameter.required).map(({ name }) => name),
      ...(requestBody?.content['application/json']?.schema.required ?? []),
    ]);
  assert.deepEqual(required, [
    ['validateEmail', 'email'],
    ['validateEmailBatch', 'emails'],
    ['getMetadata', 'url'],
    ['getMetadataBatch', 'urls'],
    ['generatePdf', 'html'],
  ]);
});
