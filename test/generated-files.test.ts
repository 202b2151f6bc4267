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
