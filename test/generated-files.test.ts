import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { writeConfigurationDoc, writeErrorsDoc, writeOpenApiDoc } from '../scripts/generated-docs.ts';

const committed = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('docs/errors.md is what `npm run docs` makes of the table of errors', () => {
  assert.equal(committed('docs/errors.md'), writeErrorsDoc());
});

it('docs/configuration.md is what `npm run docs` makes of the table of settings', () => {
  assert.equal(committed('docs/configuration.md'), writeConfigurationDoc());
});

it('openapi.json is what `npm run docs` makes of the routes', async () => {
  assert.equal(committed('openapi.json'), await writeOpenApiDoc());
});

it('openapi.json requires of a request what the contract requires, and no more', () => {
  interface Operation {
    operationId: string;
    parameters?: { name: string; required?: boolean }[];
    requestBody?: { content: Record<string, { schema: { required?: string[] } }> };
  }
  const { paths } = JSON.parse(committed('openapi.json')) as {
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
    ['generatePdf', 'html'],
  ]);
});
