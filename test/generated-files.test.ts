import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { formatConfigurationDoc, formatErrorsDoc, formatOpenApiDoc } from '../scripts/generated-docs.ts';

const committed = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('docs/errors.md is up to date with the table of errors (npm run docs)', () => {
  assert.equal(committed('docs/errors.md'), formatErrorsDoc());
});

it('docs/configuration.md is up to date with the table of settings (npm run docs)', () => {
  assert.equal(committed('docs/configuration.md'), formatConfigurationDoc());
});

it('openapi.json is up to date with the routes (npm run docs)', async () => {
  assert.equal(committed('openapi.json'), await formatOpenApiDoc());
});

it('openapi.json requires the same parameters and members as the contract', () => {
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
